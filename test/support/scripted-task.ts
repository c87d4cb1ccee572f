import { fileURLToPath } from 'node:url';
import type { AgentModel } from '@plugboard/contract';
import { fakeServer, fakeServerCommand, FaultScript } from '@plugboard/testing';
import { DOUBLE_CREDENTIALS, DOUBLE_KEY, type LlmDouble } from '@plugboard/testing/llm';
import { expect, onTestFinished } from 'vitest';

const weatherServer = fileURLToPath(new URL('../../examples/weather-server/weather-server.mjs', import.meta.url));

/** The keys of each provider, as its double accepts them. */
export const PROVIDER_VARIABLES: Readonly<Record<AgentModel['provider'], Readonly<Record<string, string>>>> = {
  openai: { OPENAI_API_KEY: DOUBLE_KEY },
  'openai-responses': { OPENAI_API_KEY: DOUBLE_KEY },
  anthropic: { ANTHROPIC_API_KEY: DOUBLE_KEY },
  bedrock: {
    AWS_REGION: DOUBLE_CREDENTIALS.region,
    AWS_ACCESS_KEY_ID: DOUBLE_CREDENTIALS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: DOUBLE_CREDENTIALS.secretAccessKey,
  },
};

/** A model of each provider that its double has. */
export const DOUBLE_MODELS: Readonly<Record<AgentModel['provider'], string>> = {
  openai: 'gpt-double',
  'openai-responses': 'gpt-double',
  anthropic: 'claude-double',
  bedrock: 'anthropic.claude-double-v1:0',
};

export const doubleUrl = (double: LlmDouble, provider: AgentModel['provider']): string =>
  provider.startsWith('openai') ? double.openaiUrl : double.url;

/** The second call of this program kills it in the middle of its work. */
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

/** A server at a URL that adds. */
export const sumServer = async () => {
  const sum = fakeServer({ tools: ['add'] });
  onTestFinished(() => sum.close());
  return { mcp_server_type: 'streamable_http' as const, server_url: (await sum.listenHttp()).url };
};

/** The servers of the task: two programs, one of which dies, one over Streamable HTTP and one over HTTP+SSE. */
export const taskServers = async () => {
  const greeter = fakeServer({ tools: [{ name: 'greet', handler: (args) => `Hello, ${String(args['name'])}!` }] });
  onTestFinished(() => greeter.close());
  const { command, args } = dyingProgram();
  return {
    weather: { mcp_server_type: 'stdio' as const, command: process.execPath, args: [weatherServer] },
    program: { mcp_server_type: 'stdio' as const, command, args: [...args] },
    sum: await sumServer(),
    greeter: { mcp_server_type: 'sse' as const, server_url: (await greeter.listenSse()).url },
  };
};

/** What the model does. Its tools are called by the names that they have, or by those that end with them. */
export const scriptTask = (double: LlmDouble, offered: readonly string[] = []): void => {
  const called = (name: string): string => offered.find((one) => one.endsWith(`__${name}`)) ?? name;
  double.next(
    {
      text: 'Let me see.',
      toolCalls: [
        { name: called('echo'), arguments: { text: 'one' } },
        { name: called('add'), arguments: { a: 2, b: 3 } },
        { name: called('get_forecast'), arguments: { latitude: 60, longitude: 11 } },
      ],
    },
    {
      toolCalls: [
        { name: called('echo'), arguments: { text: 'two' } },
        { name: called('greet'), arguments: { name: 'Ada' } },
      ],
    },
    { toolCalls: [{ name: called('echo'), arguments: { text: 'three' } }] },
    ({ toolResults }) => ({ text: `Done: ${toolResults.join()}` }),
  );
};

/** The model got every result; the program died once, which the model was told, and works again. */
export const expectTaskDone = (double: LlmDouble): void => {
  expect(double.refusals).toEqual([]);
  const [, second, third] = double.requests.map(({ toolResults }) => toolResults);
  expect(second).toEqual(['one', expect.stringContaining('5'), expect.stringContaining('Tomorrow: -1 °C, snow')]);
  expect(third).toEqual([expect.stringMatching(/failed|exited|unknown|executed/iu), 'Hello, Ada!']);
};
