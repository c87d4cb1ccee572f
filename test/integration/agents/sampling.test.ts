/// <reference lib="esnext.disposable" />
import type { Agent, ServerView } from '@plugboard/contract';
import { fakeServer, type FakeTool } from '@plugboard/testing';
import { DOUBLE_KEY, llmDouble, type LlmDouble } from '@plugboard/testing/llm';
import { describe, expect, onTestFinished, test } from 'vitest';
import { hubCall } from '../../support/hub-call.js';
import { startRealHub } from '../../support/real-hub.js';

/** Asks the model of its user for a title, several times if it is told to. */
const entitle: FakeTool = {
  name: 'entitle',
  inputSchema: { type: 'object', properties: { times: { type: 'integer' } } },
  handler: async ({ times }, call) => {
    const titles: string[] = [];
    for (let at = 0; at < Number(times ?? 1); at += 1) {
      const { content } = await call.sample({
        messages: [{ role: 'user', content: { type: 'text', text: 'A title for the report, please.' } }],
        systemPrompt: 'You write titles.',
        maxTokens: 50,
      });
      titles.push(String((content as { text?: unknown }).text));
    }
    return titles.join();
  },
};

const prepare = async (sampling_servers?: readonly string[], transport: 'http' | 'sse' = 'http') => {
  const hub = await startRealHub();
  onTestFinished(() => hub.close());
  const double = await llmDouble();
  onTestFinished(() => double.close());
  const server = fakeServer({ tools: [entitle] });
  onTestFinished(() => server.close());
  const { url } = transport === 'http' ? await server.listenHttp() : await server.listenSse();
  const config = { mcp_server_type: transport === 'http' ? 'streamable_http' : 'sse', server_url: url };
  const created = await hubCall(hub.url, 'POST', '/v1/mcp-servers', { server_name: 'reports', config });
  const agent = await hubCall(hub.url, 'POST', '/v1/agents', {
    name: 'helper',
    server_ids: [(created.json as ServerView).id],
    variables: { OPENAI_API_KEY: DOUBLE_KEY },
    model: { provider: 'openai', name: 'gpt-double', base_url: double.openaiUrl, sampling_servers },
  });
  expect((agent.json as Agent).model?.sampling_servers).toEqual(sampling_servers);
  const ask = async (): Promise<string> => {
    const body = { model: 'helper', messages: [{ role: 'user', content: 'Write the report.' }] };
    const { json } = await hubCall(hub.url, 'POST', '/v1/chat/completions', body);
    return (json as { choices: { message: { content: string } }[] }).choices[0]?.message.content ?? '';
  };
  return { double, ask };
};

/** The model calls the tool, is asked by its server meanwhile, and repeats the result. */
const script = (double: LlmDouble, titles: readonly string[], times = 1): void => {
  double.next({ toolCalls: [{ name: 'entitle', arguments: { times } }] });
  double.next(...titles.map((text) => ({ text })));
  double.next(({ toolResults }) => ({ text: `Result: ${toolResults.join()}` }));
};

describe('a server that asks the model of an agent', () => {
  test.each(['http', 'sse'] as const)('gets an answer over %s, if the agent names it', async (transport) => {
    const { double, ask } = await prepare(['reports'], transport);
    script(double, ['A fine year']);
    expect(await ask()).toBe('Result: A fine year');
    expect(double.requests).toHaveLength(3);
    expect(double.requests[1]?.body).toMatchObject({
      messages: [{ role: 'system', content: 'You write titles.' }, {}],
    });
    expect(double.requests[1]?.tools).toEqual([]);
    expect(double.requests[1]?.maxTokens).toBe(50);
  });

  test.each([[undefined], [['another']]])('is refused when the agent names %j', async (allowed) => {
    const { double, ask } = await prepare(allowed);
    script(double, []);
    expect(await ask()).toMatch(/^Result: .*(?:sampling|support|cannot|not)/iu);
    expect(double.requests).toHaveLength(2);
  });

  test('cannot ask without end', async () => {
    const { double, ask } = await prepare(['reports']);
    script(
      double,
      Array.from({ length: 20 }, () => 'Again'),
      25,
    );
    expect(await ask()).toMatch(/could not answer/iu);
    expect(double.requests).toHaveLength(22);
  });
});
