import { createOpenAI } from '@ai-sdk/openai';
import Anthropic from '@anthropic-ai/sdk';
import { BedrockRuntimeClient, ConverseCommand } from '@aws-sdk/client-bedrock-runtime';
import { type FunctionDeclaration, GoogleGenAI } from '@google/genai';
import { ChatOpenAI } from '@langchain/openai';
import { Agent, Runner, tool } from '@openai/agents-core';
import { OpenAIChatCompletionsModel, OpenAIResponsesModel } from '@openai/agents-openai';
import { checkAgainstProfile, isAccepted, PROFILES } from '@plugboard/schema';
import { fakeServer } from '@plugboard/testing';
import { DOUBLE_CREDENTIALS, DOUBLE_KEY, llmDouble, type LlmDouble } from '@plugboard/testing/llm';
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runCli, type CliPorts } from '../../../packages/plugboard/src/cli/run-cli.js';
import { composeHub } from '../../../packages/plugboard/src/compose/compose-hub.js';
import { openHub } from '../../../packages/plugboard/src/hub-api/connect/open-hub.js';
import { fakeProcess } from '../../../packages/plugboard/src/test-support/fake-process.js';
import { hubCall } from '../../support/hub-call.js';
import { profileJudge as judge } from '../../support/profile-judge.js';
import { type RealHub, startRealHub } from '../../support/real-hub.js';
import { corpusServers } from '../../support/tool-corpus.js';

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
const ports: CliPorts = {
  openHub: (process, url, settings) =>
    openHub({ process, url, settings, compose: (resolved) => composeHub(resolved, quiet) }),
};

const models = { 'gpt-double': {}, 'claude-double': {}, 'anthropic.claude-double-v1:0': {} };

/** Real tools that no provider takes as they are, and one whose name is legal in MCP only. */
const listed = [
  ...((await corpusServers()).find(({ name }) => name.startsWith('notionhq'))?.tools ?? []),
  { name: 'geo.find place', inputSchema: { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' } },
];

let hub: RealHub;
let double: LlmDouble;
const server = fakeServer({
  tools: listed.map(({ name, description, inputSchema }) => ({
    name,
    ...(typeof description === 'string' ? { description } : {}),
    inputSchema: inputSchema as Record<string, unknown>,
    handler: 'echo' as const,
  })),
});

beforeAll(async () => {
  hub = await startRealHub();
  const config = { mcp_server_type: 'streamable_http', server_url: (await server.listenHttp()).url };
  await hubCall(hub.url, 'POST', '/v1/mcp-servers', { server_name: 'pages', config });
});

afterAll(async () => {
  await hub.close();
  await server.close();
});

beforeEach(async () => {
  double = await llmDouble({ judge, models });
  double.always({ text: 'Yes.' });
  return () => double.close();
});

/** What `plugboard tools pages …` prints, as the JSON that it is. */
const printed = async (...flags: readonly string[]): Promise<readonly never[]> => {
  const env = { PLUGBOARD_HUB_URL: hub.url, PLUGBOARD_API_KEY: hub.key };
  const fake = fakeProcess(['tools', 'pages', ...flags], { env });
  const code = await runCli(fake, ports);
  const tools = JSON.parse(fake.written.stdout) as never[];
  expect([code, fake.written.stderr, tools.length]).toEqual([0, '', listed.length]);
  return tools;
};

const openai = (): OpenAI => new OpenAI({ apiKey: DOUBLE_KEY, baseURL: double.openaiUrl, maxRetries: 0 });

type Send = (tools: readonly never[]) => Promise<unknown>;

const chat: Send = (tools) =>
  openai().chat.completions.create({
    model: 'gpt-double',
    messages: [{ role: 'user', content: 'Hi' }],
    tools: [...tools],
  });
const responses: Send = (tools) => openai().responses.create({ model: 'gpt-double', input: 'Hi', tools: [...tools] });
const messages: Send = (tools) =>
  new Anthropic({ apiKey: DOUBLE_KEY, baseURL: double.url, maxRetries: 0 }).messages.create({
    model: 'claude-double',
    max_tokens: 9,
    messages: [{ role: 'user', content: 'Hi' }],
    tools: [...tools],
  });
const converse: Send = async (tools) => {
  const { region, ...credentials } = DOUBLE_CREDENTIALS;
  const client = new BedrockRuntimeClient({ region, credentials, endpoint: double.url, maxAttempts: 1 });
  try {
    return await client.send(
      new ConverseCommand({
        modelId: 'anthropic.claude-double-v1:0',
        messages: [{ role: 'user', content: [{ text: 'Hi' }] }],
        toolConfig: { tools: [...tools] },
      }),
    );
  } finally {
    client.destroy();
  }
};
const langChain =
  (options: { readonly useResponsesApi: boolean; readonly strict: boolean }): Send =>
  (tools) =>
    new ChatOpenAI({
      model: 'gpt-double',
      apiKey: DOUBLE_KEY,
      maxRetries: 0,
      useResponsesApi: options.useResponsesApi,
      configuration: { baseURL: double.openaiUrl },
    })
      .bindTools([...tools], { strict: options.strict })
      .invoke('Hi');
const aiSdk =
  (api: 'chat' | 'responses'): Send =>
  async (tools) => {
    const provider = createOpenAI({ apiKey: DOUBLE_KEY, baseURL: double.openaiUrl });
    const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hi' }] }];
    return provider[api]('gpt-double').doGenerate({ prompt, tools: [...tools] });
  };
const agentsSdk =
  (Model: typeof OpenAIChatCompletionsModel | typeof OpenAIResponsesModel): Send =>
  (tools) =>
    new Runner({ tracingDisabled: true }).run(
      new Agent({
        name: 'Assistant',
        model: new Model(openai(), 'gpt-double'),
        tools: tools.map((fields: object) => tool({ ...fields, execute: () => '' } as never)),
      }),
      'Hi',
    );

const lists: Readonly<Record<string, Readonly<Record<string, Send>>>> = {
  '--provider openai': { 'Chat Completions': chat },
  '--provider azure': { 'Chat Completions': chat },
  '--provider openai-strict': { 'Chat Completions': chat },
  '--provider openai-responses': { Responses: responses },
  '--provider openai-responses-strict': { Responses: responses },
  '--provider anthropic': { Messages: messages },
  '--provider bedrock': { Converse: converse },
  '--library langchain': {
    'ChatOpenAI on Chat Completions': langChain({ useResponsesApi: false, strict: false }),
    'ChatOpenAI on Responses': langChain({ useResponsesApi: true, strict: false }),
  },
  '--library langchain --provider openai-strict': {
    'ChatOpenAI, strict': langChain({ useResponsesApi: false, strict: true }),
  },
  '--library ai-sdk': {
    'the AI SDK on Chat Completions': aiSdk('chat'),
    'the AI SDK on Responses': aiSdk('responses'),
  },
  '--library ai-sdk --provider openai-strict': { 'the AI SDK on Responses': aiSdk('responses') },
  '--library openai-agents': {
    'the Agents SDK on Chat Completions': agentsSdk(OpenAIChatCompletionsModel),
    'the Agents SDK on Responses': agentsSdk(OpenAIResponsesModel),
  },
  '--library openai-agents --provider openai-strict': {
    'the Agents SDK on Responses': agentsSdk(OpenAIResponsesModel),
  },
};

describe.each(Object.entries(lists))('plugboard tools %s', (flags, senders) => {
  test.each(Object.entries(senders))('is accepted by %s', async (_, send) => {
    await send(await printed(...flags.split(' ')));
    expect(double.refusals).toEqual([]);
    expect(double.requests.map(({ tools }) => tools.length)).toEqual([listed.length]);
    expect(double.requests[0]?.tools.every(({ strict }) => strict === flags.includes('strict'))).toBe(true);
  });
});

test('plugboard tools --provider anthropic-strict is accepted by Messages, one tool at a time', async () => {
  for (const tool of await printed('--provider', 'anthropic-strict')) await messages([tool]);
  expect(double.refusals).toEqual([]);
  expect(double.requests).toHaveLength(listed.length);
});

/** The SDK writes the types of schemas as Google's enumeration has them. */
const inCapitals = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(inCapitals);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      key === 'type' && typeof member === 'string' ? member.toUpperCase() : inCapitals(member),
    ]),
  );
};

test('plugboard tools --provider gemini is sent by its SDK as it is, within the rules of the API', async () => {
  const declarations = (await printed('--provider', 'gemini')) as readonly FunctionDeclaration[];
  const sent: string[] = [];
  const answer = async (_url: unknown, init?: { readonly body?: unknown }) => {
    sent.push(String(init?.body));
    return Response.json({ candidates: [{ content: { role: 'model', parts: [{ text: 'Yes.' }] } }] });
  };
  const client = new GoogleGenAI({ apiKey: DOUBLE_KEY, httpOptions: { baseUrl: 'https://gemini.test' } });
  const { fetch: real } = globalThis;
  globalThis.fetch = answer;
  try {
    await client.models.generateContent({
      model: 'gemini-double',
      contents: 'Hi',
      config: { tools: [{ functionDeclarations: structuredClone([...declarations]) }] },
    });
  } finally {
    globalThis.fetch = real;
  }
  const [body] = sent.map((text) => JSON.parse(text) as { tools: { functionDeclarations: FunctionDeclaration[] }[] });
  const wire = body?.tools[0]?.functionDeclarations ?? [];
  expect(wire).toEqual(inCapitals(declarations));
  expect(wire).toHaveLength(listed.length);
  const findings = checkAgainstProfile(
    declarations.map(({ name = '', description, parameters }) => ({
      name,
      ...(description === undefined ? {} : { description }),
      inputSchema: { ...parameters },
    })),
    PROFILES.gemini,
  );
  expect(findings.filter((finding) => !isAccepted([finding]))).toEqual([]);
});

test('the doubles refuse the same tools as the server lists them', async () => {
  const raw = listed.map(({ name, description, inputSchema }) => ({
    type: 'function' as const,
    name,
    description,
    parameters: inputSchema,
    strict: true,
  }));
  await expect(responses(raw as never[])).rejects.toThrow(/Invalid schema for function/u);
});

test.each([
  ['an unknown provider', ['--provider', 'openai-response'], 'Did you mean "openai-responses"?'],
  ['an unknown library', ['--library', 'langchian'], 'Did you mean "langchain"?'],
  [
    'a library that has no such provider',
    ['--library', 'openai-agents', '--provider', 'anthropic'],
    'openai-agents has no tools with the limits of anthropic.',
  ],
])('%s is named, with what to use', async (_, flags, words) => {
  const fake = fakeProcess(['tools', 'pages', ...flags], { env: { PLUGBOARD_HUB_URL: hub.url } });
  expect([await runCli(fake, ports), fake.written.stdout]).toEqual([2, '']);
  expect(fake.written.stderr).toContain(words);
});
