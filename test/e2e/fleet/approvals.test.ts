import { FakeServer } from '@plugboard/testing';
import { llmDouble } from '@plugboard/testing/llm';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hubCall } from '../../support/hub-call.js';
import { keyOf } from '../../support/hub-keys.js';
import { DOUBLE_MODELS, PROVIDER_VARIABLES } from '../../support/scripted-task.js';
import type { HubProcess } from '../hub-process.js';
import { startReplicas } from './replicas.js';

const POLL = { timeout: 60_000, interval: 100 };
const ADMIN_KEY = 'key-of-the-fleet-test-0123456789abcdef';

interface Waiting {
  /** The id of the answer, as its client sees it. */
  readonly answer: string;
  readonly call: string;
  /** What comes after the question. */
  readonly rest: () => Promise<string>;
}

const AREAS = {
  chat: { path: '/v1/chat/completions', wish: { messages: [{ role: 'user', content: 'Do it.' }] } },
  responses: { path: '/v1/responses', wish: { input: 'Do it.' } },
};

/** Asks the agent, and reads until a call waits. */
const askUntilApproval = async ({ url }: HubProcess, api: keyof typeof AREAS): Promise<Waiting> => {
  const { path, wish } = AREAS[api];
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${keyOf(url)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'helper', stream: true, plugboard: { events: true, approvals: true }, ...wish }),
  });
  expect(response.status).toBe(200);
  if (response.body === null) throw new Error('the answer has no body');
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const read = async (): Promise<boolean> => {
    const { done, value = '' } = await reader.read();
    text += value;
    return !done;
  };
  const asked = /"type":"approval","id":"([^"]+)"/u;
  while (!asked.test(text) && (await read()));
  const [, call = ''] = asked.exec(text) ?? [];
  const [, answer = ''] = /"id":"((?:chatcmpl-|resp_)[^"]+)"/u.exec(text) ?? [];
  const rest = async (): Promise<string> => {
    while (await read());
    return text;
  };
  return { answer, call, rest };
};

describe('two replicas on one Postgres', () => {
  it('bring a decision to the replica whose agent waits for it', { timeout: 300_000 }, async () => {
    const wiped: unknown[] = [];
    const wipe = (args: Readonly<Record<string, unknown>>) => {
      wiped.push(args['what']);
      return { content: [{ type: 'text', text: 'wiped' }] };
    };
    const far = new FakeServer({ tools: [{ name: 'wipe', handler: wipe }] });
    onTestFinished(() => far.close());
    const double = await llmDouble();
    onTestFinished(() => double.close());
    const { hubs } = await startReplicas(2, { PLUGBOARD_ADMIN_KEY: ADMIN_KEY });
    const [one, other] = hubs;
    if (one === undefined || other === undefined) throw new Error('there are no replicas');
    const config = { mcp_server_type: 'streamable_http', server_url: (await far.listenHttp()).url };
    const { json } = await hubCall(one.url, 'POST', '/v1/mcp-servers', { server_name: 'far', config });
    const model = { provider: 'openai', name: DOUBLE_MODELS.openai, base_url: double.openaiUrl };
    const server_ids = [(json as { id: string }).id];
    const agent = { name: 'helper', server_ids, variables: PROVIDER_VARIABLES.openai, model };
    expect((await hubCall(one.url, 'POST', '/v1/agents', agent)).status).toBe(200);
    const models = async () => JSON.stringify((await hubCall(other.url, 'GET', '/v1/models')).json);
    await expect.poll(models, POLL).toContain('helper');

    for (const api of ['chat', 'responses'] as const) {
      for (const [asked, decides, approve] of [
        [one, other, true],
        [other, one, false],
        [one, one, true],
      ] as const) {
        const what = `${api} ${String(approve)}`;
        wiped.length = 0;
        double.next({ toolCalls: [{ name: 'wipe', arguments: { what } }] }, { text: 'Done.' });
        const { answer, call, rest } = await askUntilApproval(asked, api);
        const path = `/v1/chat/completions/${answer}/decision`;
        const decide = (body: object) => hubCall(decides.url, 'POST', path, { call_id: call, approve, ...body });
        expect(await decide({ call_id: 'another' })).toMatchObject({ status: 404 });
        expect(await decide({})).toMatchObject({ status: 204 });
        expect(await rest()).toContain('Done.');
        expect(wiped).toEqual(approve ? [what] : []);
        expect(await decide({})).toMatchObject({ status: 404 });
      }
    }
  });
});
