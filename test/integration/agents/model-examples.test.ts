/// <reference lib="esnext.disposable" />
import { openAiChatProvider, runCalls, type SamplingQuestion, userText } from '@plugboard/agent';
import type { Agent, AgentDefinitionInput, ServerView } from '@plugboard/contract';
import { fakeServer, type ToolSpec } from '@plugboard/testing';
import { DOUBLE_KEY, llmDouble, type LlmDouble } from '@plugboard/testing/llm';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runLoop } from '../../../examples/agents/agent-loop.js';
import { toolsThatAsk } from '../../../examples/agents/answer-servers.js';
import { askClaude } from '../../../examples/agents/ask-a-model.js';
import { askHubAgent } from '../../../examples/agents/ask-hub-agent.js';
import { record, replay } from '../../../examples/agents/record-a-model.js';
import { toolsOfHub } from '../../../examples/agents/tools-of-a-hub.js';
import { hubCall } from '../../support/hub-call.js';
import { startRealHub } from '../../support/real-hub.js';

const doubleOf = async (models?: Readonly<Record<string, object>>): Promise<LlmDouble> => {
  const double = await llmDouble(models === undefined ? {} : { models });
  onTestFinished(() => double.close());
  return double;
};

const openAiOf = ({ openaiUrl }: LlmDouble) => openAiChatProvider({ apiKey: DOUBLE_KEY, baseUrl: openaiUrl });

const configOf = async (...tools: readonly ToolSpec[]) => {
  const server = fakeServer({ tools: [...tools] });
  onTestFinished(() => server.close());
  return { mcp_server_type: 'streamable_http' as const, server_url: (await server.listenHttp()).url };
};

const agentWith = async (...tools: readonly ToolSpec[]): Promise<AgentDefinitionInput> => ({
  name: 'bot',
  servers: [{ name: 'one', config: await configOf(...tools) }],
});

const asItIs = (value: Readonly<Record<string, unknown>>) => value;

describe('the examples of docs/agents.md about models', () => {
  test('a model answers, and a smaller one in its place', async () => {
    const double = await doubleOf({ 'claude-sonnet-5-5': {}, 'claude-haiku-5-5': {} });
    const options = { apiKey: DOUBLE_KEY, baseUrl: double.url };
    let written = '';
    const write = (text: string): void => void (written += text);
    double.next({ text: 'Hello.' });
    await askClaude(options, 'Hello!', write);
    expect(written).toMatch(/^Hello\.\n\d+ tokens\n$/u);
    double.always(({ model }) => (model === 'claude-haiku-5-5' ? { text: 'Me too.' } : { fault: { status: 529 } }));
    await askClaude(options, 'Hello!', write);
    expect(written).toContain('Me too.');
  });

  test('the loop calls tools until the model is done', async () => {
    const double = await doubleOf();
    double.next({ toolCalls: [{ name: 'add', arguments: { a: 1, b: 2 } }] }, ({ toolResults }) => ({
      text: `It is ${toolResults.join()}.`,
    }));
    let written = '';
    const asking = { provider: openAiOf(double), model: 'gpt-double' };
    await runLoop(asking, await agentWith('add'), 'What is 1 + 2?', (text) => {
      written += text;
    });
    expect(written).toMatch(/^→ add \{"a":1,"b":2\}\nIt is 3.*\nfinished after 2 turns\n$/su);
  });

  test.each([true, false])('a server asks the model, if the user consents: %s', async (consents) => {
    const double = await doubleOf();
    double.always({ text: 'A fine year' });
    const entitle: ToolSpec = {
      name: 'entitle',
      handler: async (_args, call) => {
        const messages = [{ role: 'user', content: { type: 'text', text: 'A title, please.' } }];
        const { content } = await call.sample({ messages, maxTokens: 20 });
        return String((content as { text?: unknown }).text);
      },
    };
    const asked: SamplingQuestion[] = [];
    await using tools = await toolsThatAsk(
      openAiOf(double),
      'gpt-double',
      await agentWith(entitle),
      async (question) => {
        asked.push(question);
        return consents;
      },
    );
    const [done] = await runCalls(tools.tools, [{ id: '1', name: 'entitle', arguments: {} }]);
    expect(asked).toMatchObject([{ server: 'one', maxTokens: 20 }]);
    expect(JSON.stringify(done?.outcome.content).includes('A fine year')).toBe(consents);
    expect(double.requests).toHaveLength(consents ? 1 : 0);
  });

  test('a model is recorded, and replayed without it', async () => {
    const double = await doubleOf();
    double.next({ text: 'Yes.' });
    const request = { model: 'gpt-double', messages: [userText('Are you there?')] };
    let recording = '';
    await record(openAiOf(double), asItIs, (line) => void (recording += line)).complete(request);
    const replayed = replay(recording, asItIs);
    for (const _time of [1, 2]) expect((await replayed.complete(request)).content).toMatchObject([{ text: 'Yes.' }]);
    expect(double.requests).toHaveLength(1);
    expect(() => replay('{}', asItIs)).toThrow('recording');
  });
});

describe('the examples of docs/agents.md about a hub', () => {
  test('the client of OpenAI asks an agent, and the library uses its tools', async () => {
    const hub = await startRealHub();
    onTestFinished(() => hub.close());
    const double = await doubleOf();
    const body = { server_name: 'sum', config: await configOf('add') };
    const server = (await hubCall(hub.url, 'POST', '/v1/mcp-servers', body)).json as ServerView;
    const entries = [{ server_id: server.id, upstream_name: 'add' }];
    const toolset = (await hubCall(hub.url, 'POST', '/v1/toolsets', { name: 'sums', entries })).json as { id: string };
    const agent = await hubCall(hub.url, 'POST', '/v1/agents', {
      name: 'researcher',
      server_ids: [server.id],
      toolset_ids: [toolset.id],
      variables: { OPENAI_API_KEY: DOUBLE_KEY },
      model: { provider: 'openai', name: 'gpt-double', base_url: double.openaiUrl },
    });
    const made = await hubCall(hub.url, 'POST', '/v1/keys', {
      name: 'researcher',
      role: 'agent',
      agent_id: (agent.json as Agent).id,
    });
    const { key } = made.json as { key: string };
    double.next({ toolCalls: [{ name: 'add', arguments: { a: 1, b: 2 } }] }, { text: 'It is 3.' });
    expect(await askHubAgent(hub.url, key, 'researcher', 'What is 1 + 2?')).toBe('It is 3.');
    for (const chosen of [undefined, 'sums']) {
      await using tools = await toolsOfHub(hub.url, key, chosen);
      const [done] = await runCalls(tools.tools, [
        { id: '1', name: tools.tools[0]?.name ?? '', arguments: { a: 1, b: 2 } },
      ]);
      expect(JSON.stringify(done?.outcome.content)).toContain('3');
    }
  });
});
