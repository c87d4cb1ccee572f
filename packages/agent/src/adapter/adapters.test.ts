import { FunctionCallingConfigMode, GoogleGenAI } from '@google/genai';
import { DynamicStructuredTool } from '@langchain/core/tools';
import { tool as agentsTool } from '@openai/agents-core';
import type { ToolDefinition } from '@plugboard/contract';
import type { ProfileId } from '@plugboard/schema';
import { dynamicTool, jsonSchema } from 'ai';
import { describe, expect, test } from 'vitest';
import {
  type AiSdkOptions,
  aiSdkTools,
  anthropicTools,
  bedrockTools,
  geminiTools,
  type LangChainFields,
  langChainTools,
  openAiAgentsTools,
  openAiChatTools,
  openAiResponsesTools,
  type ToolOutcome,
} from '../index.js';
import type { AgentTools } from '../tool/agent-tools.js';

const definition: ToolDefinition = {
  name: 'look',
  description: 'Looks out of the window.',
  inputSchema: { type: 'object', properties: { where: { type: 'string' } } },
};

const content = [
  { type: 'text', text: 'Rain.' },
  { type: 'image', data: 'aGk=', mimeType: 'image/png' },
  { type: 'audio', data: 'aG8=', mimeType: 'audio/wav' },
];

const agentWith = (provider: ProfileId, outcome: Partial<ToolOutcome> = {}): AgentTools => ({
  provider,
  clients: [],
  rejected: [],
  tools: [
    {
      name: 'look',
      upstreamName: 'look',
      definition,
      profile: provider,
      metadata: {
        tool_type: 'mcp',
        display_name: 'look',
        folder_path: '/ops',
        slug: 'house',
        server_id: 'mcp_server-1',
        server_name: 'house',
        tags: [],
        annotations: undefined,
        grade: { status: 'STRICT_COMPLIANT', reasons: [] },
      },
      call: async () => ({
        kind: 'result',
        content,
        structuredContent: undefined,
        isError: false,
        truncated: false,
        ...outcome,
      }),
    },
  ],
  dispose: async () => undefined,
  [Symbol.asyncDispose]: async () => undefined,
});

const empty = { content: [] };
const failed = { content: [{ type: 'text', text: 'No window.' }], isError: true };

describe('OpenAI', () => {
  const message = { tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } }] };

  test('Chat Completions: pictures and sounds follow in a message of their own', async () => {
    const { tools, run } = openAiChatTools(agentWith('openai-strict'));
    expect(tools[0]).toMatchObject({ type: 'function', function: { name: 'look', strict: true } });
    expect(await run(message)).toEqual([
      { role: 'tool', tool_call_id: 'c1', content: 'Rain.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'The media of the tool results:' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
          { type: 'input_audio', input_audio: { data: 'aG8=', format: 'wav' } },
        ],
      },
    ]);
    expect(await openAiChatTools(agentWith('openai', failed)).run(message)).toEqual([
      { role: 'tool', tool_call_id: 'c1', content: 'Error: No window.' },
    ]);
    const ogg = { content: [{ type: 'audio', data: '', mimeType: 'audio/ogg' }] };
    expect(JSON.stringify(await openAiChatTools(agentWith('openai', ogg)).run(message))).toContain('cannot be shown');
    expect(await run({})).toEqual([]);
  });

  test('Responses: pictures are part of the output', async () => {
    const { tools, run } = openAiResponsesTools(agentWith('openai'));
    expect(tools[0]).toMatchObject({ type: 'function', name: 'look', strict: false });
    const call = { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{}' };
    expect(await run([{ type: 'message' }, call])).toMatchObject([
      {
        type: 'function_call_output',
        call_id: 'c1',
        output: [
          { text: 'Rain.' },
          { type: 'input_image', image_url: 'data:image/png;base64,aGk=' },
          { type: 'input_text' },
        ],
      },
    ]);
    expect(await openAiResponsesTools(agentWith('openai', failed)).run([call])).toMatchObject([
      { output: 'Error: No window.' },
    ]);
  });
});

test('Anthropic: blocks, errors and nothing that is empty', async () => {
  const use = [{ type: 'text' }, { type: 'tool_use', id: 't1', name: 'look', input: {} }];
  const { tools, run } = anthropicTools(agentWith('anthropic-strict'));
  expect(tools[0]).toMatchObject({ name: 'look', strict: true, input_schema: { type: 'object' } });
  expect((await run(use)).content).toMatchObject([
    {
      tool_use_id: 't1',
      is_error: false,
      content: [{ text: 'Rain.' }, { type: 'image', source: { data: 'aGk=' } }, { type: 'text' }],
    },
  ]);
  expect((await anthropicTools(agentWith('anthropic', failed)).run(use)).content).toMatchObject([{ is_error: true }]);
  expect((await anthropicTools(agentWith('anthropic', empty)).run(use)).content).toMatchObject([{ content: [] }]);
});

test('Bedrock: bytes, errors and nothing that is blank', async () => {
  const use = [{ text: 'Hm.' }, { toolUse: { toolUseId: 't1', name: 'look', input: {} } }];
  const { toolConfig, run } = bedrockTools(agentWith('bedrock'));
  expect(toolConfig.tools[0]).toMatchObject({ toolSpec: { name: 'look', inputSchema: { json: { type: 'object' } } } });
  expect((await run(use)).content).toMatchObject(
    [
      {
        toolResult: {
          toolUseId: 't1',
          status: 'success',
          content: [
            { text: 'Rain.' },
            { image: { format: 'png', source: { bytes: new Uint8Array([104, 105]) } } },
            { text: /audio/u },
          ],
        },
      },
    ].map((one) => ({
      toolResult: { ...one.toolResult, content: expect.arrayContaining([{ text: 'Rain.' }]) as unknown[] },
    })),
  );
  expect((await bedrockTools(agentWith('bedrock', failed)).run(use)).content[0]?.toolResult.status).toBe('error');
  expect((await bedrockTools(agentWith('bedrock', empty)).run(use)).content[0]?.toolResult.content).toEqual([
    { text: '[The result is empty.]' },
  ]);
});

test('Gemini: the SDK sends the declarations and the responses', async () => {
  const { functionDeclarations, run } = geminiTools(agentWith('gemini'));
  const parts = await run([
    { id: 'f1', name: 'look', args: {} },
    { name: 'look', args: {} },
  ]);
  expect(parts).toMatchObject([
    {
      functionResponse: {
        id: 'f1',
        name: 'look',
        response: { output: 'Rain.' },
        parts: [{ inlineData: { data: 'aGk=' } }, {}],
      },
    },
    { functionResponse: { name: 'look' } },
  ]);
  expect(await geminiTools(agentWith('gemini', failed)).run([{ name: 'look' }])).toMatchObject([
    { functionResponse: { response: { error: 'No window.' } } },
  ]);
  const sent: string[] = [];
  const original = globalThis.fetch;
  globalThis.fetch = async (_url, init) => {
    sent.push(typeof init?.body === 'string' ? init.body : '');
    return Response.json({ candidates: [{ content: { role: 'model', parts: [{ text: 'Rain.' }] } }] });
  };
  try {
    const client = new GoogleGenAI({ apiKey: 'key' });
    const answer = await client.models.generateContent({
      model: 'gemini-double',
      contents: [{ role: 'user', parts }],
      config: {
        tools: [{ functionDeclarations }],
        toolConfig: { functionCallingConfig: { mode: FunctionCallingConfigMode.AUTO } },
      },
    });
    expect(answer.text).toBe('Rain.');
  } finally {
    globalThis.fetch = original;
  }
  expect(JSON.parse(sent.join(''))).toMatchObject({
    tools: [{ functionDeclarations: [{ name: 'look' }] }],
    contents: [{ parts: [{ functionResponse: { name: 'look', response: { output: 'Rain.' } } }, {}] }],
  });
  // The SDK sends types in capitals, but leaves what it was given as it is.
  expect(definition.inputSchema).toEqual({ type: 'object', properties: { where: { type: 'string' } } });
});

describe('agent libraries', () => {
  test('LangChain: a tool message with the outcome as its artifact', async () => {
    const [tool] = langChainTools(agentWith('openai'), (fields) => new DynamicStructuredTool(fields));
    expect([tool?.name, tool?.description, tool?.metadata?.['tool_type']]).toEqual([
      'look',
      'Looks out of the window.',
      'mcp',
    ]);
    const message: unknown = await tool?.invoke({
      type: 'tool_call',
      id: 'c1',
      name: 'look',
      args: { where: 'north' },
    });
    expect(message).toMatchObject({
      tool_call_id: 'c1',
      content:
        'Rain.\n[The result has content of the type image/png, which cannot be shown.]\n[The result has content of the type audio/wav, which cannot be shown.]',
      artifact: { isError: false, content },
    });
    const contentWith = async (provider: ProfileId, media?: 'shown' | 'named', outcome: Partial<ToolOutcome> = {}) => {
      const create = (fields: LangChainFields) => new DynamicStructuredTool(fields);
      const [made] = langChainTools(agentWith(provider, outcome), create, media === undefined ? {} : { media });
      const called: unknown = await made?.invoke({ type: 'tool_call', id: 'c1', name: 'look', args: {} });
      return (called as { content: unknown }).content;
    };
    const sound = 'Rain.\n[The result has content of the type audio/wav, which cannot be shown.]';
    expect(await contentWith('anthropic')).toEqual([
      { type: 'text', text: sound },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
    ]);
    expect(await contentWith('anthropic', undefined, { content: content.slice(1, 2) })).toMatchObject([
      { type: 'image_url' },
    ]);
    expect(await contentWith('anthropic', 'named')).toContain('image/png');
    expect(await contentWith('openai', 'shown')).toEqual([
      { type: 'input_text', text: sound },
      { type: 'input_image', image_url: 'data:image/png;base64,aGk=', detail: 'auto' },
    ]);
    const [broken] = langChainTools(agentWith('openai', failed), (fields) => new DynamicStructuredTool(fields));
    expect(await broken?.invoke({ where: 'north' })).toBe('Error: No window.');
  });

  test('AI SDK: content, text and errors for the model', async () => {
    const outputOf = async (
      outcome: Partial<ToolOutcome>,
      { provider = 'openai', ...options }: AiSdkOptions & { provider?: ProfileId } = {},
    ) => {
      const tools = aiSdkTools(
        agentWith(provider, outcome),
        ({ schema, ...fields }) => dynamicTool({ ...fields, inputSchema: jsonSchema(schema) }),
        options,
      );
      const output: unknown = await tools['look']?.execute?.({}, { toolCallId: 'c1', messages: [] });
      return tools['look']?.toModelOutput?.({ toolCallId: 'c1', input: {}, output });
    };
    expect(await outputOf({})).toMatchObject({
      type: 'content',
      value: [
        { text: 'Rain.\n[The result has content of the type audio/wav, which cannot be shown.]' },
        { type: 'image-data' },
      ],
    });
    expect(await outputOf({}, { provider: 'gemini' })).toMatchObject({
      value: [{ text: 'Rain.' }, { type: 'image-data' }, { type: 'file-data', mediaType: 'audio/wav' }],
    });
    expect(await outputOf({ content: content.slice(1, 2) })).toMatchObject({ value: [{ type: 'image-data' }] });
    expect(await outputOf({}, { media: 'named' })).toMatchObject({
      type: 'text',
      value: expect.stringContaining('image/png') as string,
    });
    expect(await outputOf(failed)).toEqual({ type: 'error-text', value: 'No window.' });
    expect(await outputOf({ content: content.slice(0, 1) })).toEqual({ type: 'text', value: 'Rain.' });
  });

  test('OpenAI Agents SDK: a function tool', async () => {
    const [tool] = openAiAgentsTools(agentWith('openai', failed), (fields) => agentsTool(fields));
    expect(tool).toMatchObject({ type: 'function', name: 'look', strict: false });
    expect(await tool?.invoke({} as never, '{"where":"north"}')).toBe('Error: No window.');
    const [seeing] = openAiAgentsTools(agentWith('openai'), (fields) => agentsTool(fields));
    expect(await seeing?.invoke({} as never, '{"where":"north"}')).toEqual([
      {
        type: 'text',
        text: 'Rain.\n[The result has content of the type audio/wav, which cannot be shown.]\n[The result has images: image/png]',
      },
      { type: 'image', image: 'data:image/png;base64,aGk=' },
    ]);
  });
});

test('tools for another provider are refused, with what to do', () => {
  expect(() => bedrockTools(agentWith('openai'))).toThrow('These tools were made for openai, not for bedrock.');
});
