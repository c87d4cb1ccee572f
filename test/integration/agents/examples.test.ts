/// <reference lib="esnext.disposable" />
import { readdirSync, readFileSync } from 'node:fs';
import Anthropic from '@anthropic-ai/sdk';
import { createOpenAI } from '@ai-sdk/openai';
import { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime';
import { GoogleGenAI } from '@google/genai';
import { ChatOpenAI } from '@langchain/openai';
import { OpenAIChatCompletionsModel, OpenAIResponsesModel } from '@openai/agents-openai';
import { HumanMessage, type ToolMessage } from '@langchain/core/messages';
import { DynamicStructuredTool } from '@langchain/core/tools';
import { agentFromHub, type AgentTools, createMcpToolsFromAgent, langChainTools } from '@plugboard/agent';
import type { AgentDefinitionInput } from '@plugboard/contract';
import type { ProfileId } from '@plugboard/schema';
import { fakeServer, fakeServerCommand, FaultScript } from '@plugboard/testing';
import { DOUBLE_CREDENTIALS, DOUBLE_KEY, llmDouble, type LlmDouble } from '@plugboard/testing/llm';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { askAiSdk } from '../../../examples/agents/ai-sdk.js';
import { askBedrock } from '../../../examples/agents/bedrock.js';
import { askGemini } from '../../../examples/agents/gemini.js';
import { askLangChain } from '../../../examples/agents/langchain.js';
import { askAgentsSdk } from '../../../examples/agents/openai-agents.js';
import { askResponses } from '../../../examples/agents/openai-responses.js';
import { askAnthropic } from '../../../examples/agents/plain-anthropic.js';
import { askOpenAi } from '../../../examples/agents/plain-openai.js';
import { hubCall } from '../../support/hub-call.js';
import { profileJudge as judge } from '../../support/profile-judge.js';
import { startRealHub } from '../../support/real-hub.js';

const root = new URL('../../../', import.meta.url);

describe('docs/agents.md', () => {
  const page = readFileSync(new URL('docs/agents.md', root), 'utf8');
  const folder = new URL('examples/agents/', root);

  test.each(readdirSync(folder))('shows examples/agents/%s as it is', (name) => {
    const code = readFileSync(new URL(name, folder), 'utf8').trim();
    expect(page).toContain(`\`\`\`ts\n// examples/agents/${name}\n${code}\n\`\`\``);
  });
});

type Ask = (double: LlmDouble, agent: AgentTools, question: string) => Promise<string>;

const openAi = (double: LlmDouble): OpenAI =>
  new OpenAI({ apiKey: DOUBLE_KEY, baseURL: double.openaiUrl, maxRetries: 0 });

const langChain = (double: LlmDouble, useResponsesApi: boolean): ChatOpenAI =>
  new ChatOpenAI({
    model: 'gpt-double',
    apiKey: DOUBLE_KEY,
    maxRetries: 0,
    useResponsesApi,
    configuration: { baseURL: double.openaiUrl },
  });

const ASK: readonly (readonly [string, ProfileId, Ask])[] = [
  [
    'OpenAI Chat Completions',
    'openai',
    (double, agent, question) => askOpenAi(openAi(double), 'gpt-double', agent, question),
  ],
  [
    'OpenAI Chat Completions, strict',
    'openai-strict',
    (double, agent, question) => askOpenAi(openAi(double), 'gpt-double', agent, question),
  ],
  [
    'OpenAI Responses',
    'openai',
    (double, agent, question) => askResponses(openAi(double), 'gpt-double', agent, question),
  ],
  [
    'Anthropic',
    'anthropic',
    (double, agent, question) =>
      askAnthropic(
        new Anthropic({ apiKey: DOUBLE_KEY, baseURL: double.url, maxRetries: 0 }),
        'claude-double',
        agent,
        question,
      ),
  ],
  [
    'Bedrock',
    'bedrock',
    async (double, agent, question) => {
      const { region, ...credentials } = DOUBLE_CREDENTIALS;
      const client = new BedrockRuntimeClient({ region, credentials, endpoint: double.url, maxAttempts: 1 });
      try {
        return await askBedrock(client, 'anthropic.claude-double-v1:0', agent, question);
      } finally {
        client.destroy();
      }
    },
  ],
  [
    'Gemini',
    'gemini',
    (double, agent, question) =>
      askGemini(
        new GoogleGenAI({ apiKey: DOUBLE_KEY, httpOptions: { baseUrl: double.url } }),
        'gemini-double',
        agent,
        question,
      ),
  ],
  [
    'the AI SDK',
    'openai',
    (double, agent, question) =>
      askAiSdk(createOpenAI({ apiKey: DOUBLE_KEY, baseURL: double.openaiUrl }).chat('gpt-double'), agent, question),
  ],
  [
    'the OpenAI Agents SDK',
    'openai',
    (double, agent, question) =>
      askAgentsSdk(new OpenAIChatCompletionsModel(openAi(double), 'gpt-double'), agent, question),
  ],
  [
    'the AI SDK on Responses',
    'openai',
    (double, agent, question) =>
      askAiSdk(
        createOpenAI({ apiKey: DOUBLE_KEY, baseURL: double.openaiUrl }).responses('gpt-double'),
        agent,
        question,
      ),
  ],
  [
    'the OpenAI Agents SDK on Responses',
    'openai',
    (double, agent, question) => askAgentsSdk(new OpenAIResponsesModel(openAi(double), 'gpt-double'), agent, question),
  ],
  ['LangChain', 'openai', (double, agent, question) => askLangChain(langChain(double, false), agent, question)],
  [
    'LangChain, strict',
    'openai-strict',
    (double, agent, question) => askLangChain(langChain(double, false), agent, question),
  ],
  [
    'LangChain on Responses',
    'openai',
    (double, agent, question) => askLangChain(langChain(double, true), agent, question),
  ],
];

/** The second call of the program kills it in the middle of its work. */
const dyingProgram = () =>
  fakeServerCommand({
    tools: [
      {
        name: 'echo',
        handler: 'echo',
        inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
        // so that a call that may have been executed is not repeated
        annotations: { readOnlyHint: false, idempotentHint: false },
      },
    ],
    script: new FaultScript().on('tools/call').nth(2).crash('while-working').rules,
  });

const openServers = async () => {
  const [sum, greeter] = [
    fakeServer({ tools: ['add'] }),
    fakeServer({
      tools: [
        {
          name: 'greet',
          handler: (args) => `Hello, ${String(args['name'])}!`,
          inputSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
        },
      ],
    }),
  ];
  const [{ url }, { url: sseUrl }] = [await sum.listenHttp(), await greeter.listenSse()];
  const { command, args } = dyingProgram();
  const configs = {
    program: { mcp_server_type: 'stdio' as const, command, args: [...args] },
    sum: { mcp_server_type: 'streamable_http' as const, server_url: url },
    greeter: { mcp_server_type: 'sse' as const, server_url: sseUrl },
  };
  return {
    configs,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([sum.close(), greeter.close()]);
    },
  };
};

/** What the model does, by the names that the tools have for it. */
const script = (double: LlmDouble): void => {
  const named = (tools: readonly { readonly name: string }[], part: string): string =>
    tools.find(({ name }) => name.includes(part))?.name ?? part;
  double.next(
    ({ tools }) => ({
      text: 'Let me see.',
      toolCalls: [
        { name: named(tools, 'echo'), arguments: { text: 'one' } },
        { name: named(tools, 'add'), arguments: { a: 2, b: 3 } },
      ],
    }),
    ({ tools }) => ({
      toolCalls: [
        { name: named(tools, 'echo'), arguments: { text: 'two' } },
        { name: named(tools, 'greet'), arguments: { name: 'Ada' } },
      ],
    }),
    ({ tools }) => ({ toolCalls: [{ name: named(tools, 'echo'), arguments: { text: 'three' } }] }),
    ({ toolResults }) => ({ text: `Done: ${toolResults.join()}` }),
  );
};

const expectSolved = (double: LlmDouble, answer: string): void => {
  const [, second, third] = double.requests.map(({ toolResults }) => toolResults);
  expect(second).toEqual(['one', expect.stringContaining('5')]);
  // the program died: the model is told, and the other server answers
  expect(third).toEqual([expect.stringMatching(/failed|exited|unknown|executed/iu), 'Hello, Ada!']);
  expect(answer).toBe('Done: three');
};

describe.each(ASK)('%s solves a task with three servers, one of which is killed', (_, provider, ask) => {
  test('through the library', async () => {
    await using servers = await openServers();
    await using double = await llmDouble({ judge });
    script(double);
    const agent: AgentDefinitionInput = {
      name: 'bot',
      servers: Object.entries(servers.configs).map(([name, config]) => ({ name, config })),
    };
    await using tools = await createMcpToolsFromAgent(agent, { provider });
    const answer = await ask(double, tools, 'Do it.');
    expect(double.refusals).toEqual([]);
    expectSolved(double, answer);
  });
});

test.each(ASK)('%s solves it through a hub, as an agent of it', async (_, provider, ask) => {
  await using servers = await openServers();
  await using double = await llmDouble({ judge });
  script(double);
  const hub = await startRealHub();
  try {
    for (const [server_name, config] of Object.entries(servers.configs)) {
      await hubCall(hub.url, 'POST', '/v1/mcp-servers/', { server_name, config });
    }
    await using tools = await createMcpToolsFromAgent(agentFromHub({ url: hub.url, key: hub.key }), { provider });
    expect(tools.clients).toHaveLength(1);
    const answer = await ask(double, tools, 'Do it.');
    expect(double.refusals).toEqual([]);
    expectSolved(double, answer);
  } finally {
    await hub.close();
  }
});

/** The parameters of the only tool of a request, wherever the provider has them. */
const offeredParameters = ({ body }: LlmDouble['requests'][number]): string =>
  JSON.stringify(body['tools'] ?? body['toolConfig']);

test.each(ASK)('%s reads the new parameters of a tool that changed, and calls it again', async (_, provider, ask) => {
  const known = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
  const now = {
    type: 'object',
    properties: { place: { type: 'string' }, days: { type: 'integer' } },
    required: ['place', 'days'],
  };
  const server = fakeServer({
    tools: [{ name: 'forecast', inputSchema: now, handler: (args) => `Snow: ${JSON.stringify(args)}` }],
  });
  await using double = await llmDouble({ judge });
  const config = { mcp_server_type: 'streamable_http' as const, server_url: (await server.listenHttp()).url };
  const discovery = { mode: 'cached' as const, tools: [{ name: 'forecast', inputSchema: known }] };
  await using tools = await createMcpToolsFromAgent(
    { name: 'bot', servers: [{ name: 'weather', config, discovery }] },
    { provider },
  );
  double.next(
    { toolCalls: [{ name: 'forecast', arguments: { city: 'Oslo' } }] },
    { toolCalls: [{ name: 'forecast', arguments: { place: 'Oslo', days: 2 } }] },
    ({ toolResults }) => ({ text: toolResults.join() }),
  );
  try {
    expect(await ask(double, tools, 'Will it snow?')).toContain('Snow: {"place":"Oslo","days":2}');
    expect(server.counters.executed('forecast')).toBe(1);
    expect(double.refusals).toEqual([]);
    const [first, second] = double.requests.map(offeredParameters);
    expect(first).toContain('"city"');
    expect(second).toContain('"place"');
    expect(second).not.toContain('"city"');
  } finally {
    await server.close();
  }
});

/** How each API has the picture of a result. What is missing here names it in a text, which is all that the API accepts. */
const PICTURES: Readonly<Record<string, RegExp>> = {
  'OpenAI Chat Completions': /"role":"user","content":\[.*"image_url":\{"url":"data:image\/png;base64,aGk="/u,
  'OpenAI Responses': /"type":"input_image","image_url":"data:image\/png;base64,aGk="/u,
  Anthropic: /"type":"image","source":\{"type":"base64","media_type":"image\/png","data":"aGk="/u,
  Bedrock: /"image":\{"format":"png","source":\{"bytes":"aGk="/u,
  Gemini: /"functionResponse":\{.*"inlineData":\{"mimeType":"image\/png","data":"aGk="/u,
  'the AI SDK': /"role":"tool",.*aGk=/u,
  'the AI SDK on Responses': /"type":"input_image","image_url":"data:image\/png;base64,aGk="/u,
  'the OpenAI Agents SDK on Responses': /"type":"input_image".*"image_url":"data:image\/png;base64,aGk="/u,
};

test.each(ASK)('%s passes on a picture and a sound of a result', async (name, provider, ask) => {
  const server = fakeServer({
    tools: [
      {
        name: 'look',
        result: {
          content: [
            { type: 'text', text: 'Half a \uD83D face.' },
            { type: 'image', data: 'aGk=', mimeType: 'image/png' },
            { type: 'audio', data: 'aG8=', mimeType: 'audio/ogg' },
          ],
        },
      },
    ],
  });
  await using double = await llmDouble({ judge });
  const config = { mcp_server_type: 'streamable_http' as const, server_url: (await server.listenHttp()).url };
  await using tools = await createMcpToolsFromAgent(
    { name: 'bot', servers: [{ name: 'window', config }] },
    { provider },
  );
  double.next({ toolCalls: [{ name: 'look', arguments: {} }] }, { text: 'Done.' });
  try {
    expect(await ask(double, tools, 'What do you see?')).toBe('Done.');
    expect(double.refusals).toEqual([]);
    const sent = JSON.stringify(double.requests[1]?.body);
    expect(sent).toContain('Half a  face.');
    expect(sent).toContain('audio/ogg');
    const picture = PICTURES[name.replace(', strict', '')];
    if (picture === undefined) expect(sent).not.toContain('aGk=');
    else expect(sent).toMatch(picture);
    expect(sent).toMatch(/image\/png|"format":"png"/u);
  } finally {
    await server.close();
  }
});

test('LangChain shows pictures to models on Responses, if it is told to', async () => {
  const content = [{ type: 'image', data: 'aGk=', mimeType: 'image/png' }];
  const server = fakeServer({ tools: [{ name: 'look', result: { content } }] });
  await using double = await llmDouble({ judge });
  const config = { mcp_server_type: 'streamable_http' as const, server_url: (await server.listenHttp()).url };
  const agent = { name: 'bot', servers: [{ name: 'window', config }] };
  await using made = await createMcpToolsFromAgent(agent, { provider: 'openai' });
  double.next({ toolCalls: [{ name: 'look', arguments: {} }] }, { text: 'A cloud.' });
  try {
    const [tool] = langChainTools(made, (fields) => new DynamicStructuredTool(fields), { media: 'shown' });
    if (tool === undefined) throw new Error('no tool');
    const model = langChain(double, true).bindTools([tool], { strict: false });
    const question = new HumanMessage('What do you see?');
    const asked = await model.invoke([question]);
    const result: unknown = await tool.invoke({ ...asked.tool_calls?.[0], name: 'look', args: {}, type: 'tool_call' });
    expect((await model.invoke([question, asked, result as ToolMessage])).text).toBe('A cloud.');
    expect(double.refusals).toEqual([]);
    expect(JSON.stringify(double.requests[1]?.body)).toMatch(PICTURES['OpenAI Responses'] ?? /never/u);
  } finally {
    await server.close();
  }
});

test('LangChain tells the model about a tool that does not exist and arguments that are wrong', async () => {
  const server = fakeServer({ tools: ['add'] });
  await using double = await llmDouble({ judge });
  const config = { mcp_server_type: 'streamable_http' as const, server_url: (await server.listenHttp()).url };
  await using tools = await createMcpToolsFromAgent(
    { name: 'bot', servers: [{ name: 'sum', config }] },
    { provider: 'openai' },
  );
  double.next(
    {
      toolCalls: [
        { name: 'subtract', arguments: {} },
        { name: 'add', arguments: { a: 'two' } },
      ],
    },
    ({ toolResults }) => ({ text: toolResults.join(' ') }),
  );
  try {
    const answer = await askLangChain(langChain(double, false), tools, 'Do it.');
    expect(answer).toContain('There is no tool subtract.');
    expect(answer).toContain('did not match expected schema');
    expect(server.counters.received('tools/call')).toBe(0);
  } finally {
    await server.close();
  }
});
