import { FakeServer, type FakeTool, rawHttpClient, type RawHttpClient } from '@plugboard/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hubCall } from '../../support/hub-call.js';
import type { HubProcess } from '../hub-process.js';
import { startReplicas } from './replicas.js';

const POLL = { timeout: 60_000, interval: 100 };

/** A server of the legacy era whose tools ask twice before they do anything. */
const askingServer = async () => {
  const done: string[] = [];
  const tool = (name: string, readOnlyHint: boolean): FakeTool => ({
    name,
    annotations: { readOnlyHint },
    handler: async (_args, call) => {
      const answers: string[] = [];
      for (const message of ['Who?', 'Where?']) {
        const requestedSchema = { type: 'object', properties: { text: { type: 'string' } } };
        answers.push(JSON.stringify(await call.elicit({ mode: 'form', message, requestedSchema })));
      }
      done.push(name);
      return { content: [{ type: 'text', text: `${name} ${answers.join(' ')}` }] };
    },
  });
  const server = new FakeServer({ eras: 'legacy', tools: [tool('look', true), tool('change', false)] });
  onTestFinished(() => server.close());
  return { url: (await server.listenHttp()).url, done };
};

type Answer = Awaited<ReturnType<RawHttpClient['request']>>;

describe('calls that wait for their client when their replica is killed', () => {
  it('go on at another one where that is safe, and end clearly where it is not', { timeout: 300_000 }, async () => {
    const asking = await askingServer();
    const { hubs } = await startReplicas(2);
    const [one, other] = hubs as [HubProcess, HubProcess];
    const config = { mcp_server_type: 'streamable_http', server_url: asking.url };
    expect((await hubCall(one.url, 'POST', '/v1/mcp-servers', { server_name: 'asking', config })).status).toBe(200);
    const at = (hub: HubProcess) =>
      rawHttpClient(`${hub.url}/servers/asking/mcp`, { era: 'modern', capabilities: { elicitation: {} } });
    const listed = async () => JSON.stringify(await at(other).request('tools/list'));
    await expect.poll(listed, POLL).toContain('change');
    const call = (hub: HubProcess, name: string, more: object = {}): Promise<Answer> =>
      at(hub).request('tools/call', { name, arguments: {}, ...more });
    /** What the client sends after it was asked. */
    const reply = ({ response }: Answer, text: string) => {
      const { inputRequests, requestState } = response?.result ?? {};
      const names = Object.keys(inputRequests as object);
      const given = { action: 'accept', content: { text } };
      return { requestState, inputResponses: Object.fromEntries(names.map((name) => [name, given])) };
    };
    const asked: Record<string, Answer> = {};
    for (const name of ['look', 'change']) {
      const first = await call(one, name);
      expect(JSON.stringify(first)).toContain('Who?');
      // The other replica passes the answer on to the one that has the call.
      asked[name] = await call(other, name, reply(first, 'Ada'));
      expect(JSON.stringify(asked[name])).toContain('Where?');
    }
    await one.kill();
    const { look, change } = asked as { look: Answer; change: Answer };
    const result = JSON.stringify((await call(other, 'look', reply(look, 'London'))).response?.result);
    expect(result).toContain('look');
    expect(result).toMatch(/Ada.*London/u);
    const refused = await call(other, 'change', reply(change, 'London'));
    expect(refused.response?.error?.data).toMatchObject({ code: 'AMBIGUOUS_DELIVERY' });
    expect(asking.done).toEqual(['look']);
  });
});
