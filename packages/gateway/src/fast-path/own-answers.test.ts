import { PlugboardError } from '@plugboard/contract';
import { afterEach, describe, expect, it } from 'vitest';
import type { Gateway } from '../gateway.js';
import { CallLimits } from '../pipeline/limit/call-limits.js';
import type { HttpTurn } from '../session/http-turn.js';
import type { CallRecord } from '../pipeline/observe/call-record.js';
import type { StepOptions } from '../pipeline/step-options.js';
import { openEndpoints } from '../test-support/open-endpoints.js';
import { OwnAnswers, type OwnAnswerParts } from './own-answers.js';
import type { DirectSteps } from '../pipeline/direct-steps.js';

let gateway: Gateway | undefined;
afterEach(() => gateway?.close());

const rig = (changes: Partial<StepOptions> = {}) => {
  const told: CallRecord[] = [];
  const steps = {
    sinks: [(record: CallRecord) => told.push(record)],
    limits: {},
    maxArgumentBytes: 1_000_000,
    maxResultBytes: 1_000_000,
    ...changes,
  };
  const endpoints = openEndpoints(undefined, {}, steps);
  ({ gateway } = endpoints);
  return { ...endpoints, told };
};

/** A trace has to be looked at. */
const FULL_PATH = { traceparent: 'none' };

const listing = (id: unknown, params?: object) => ({ jsonrpc: '2.0', id, method: 'tools/list', params });
const fieldsOf = (text: string): readonly string[] =>
  text
    .slice(0, text.indexOf('\r\n\r\n'))
    .split('\r\n')
    .filter((field) => !/^(?:date|content-length):/iu.test(field))
    .map((field) => field.toLowerCase())
    .sort();

describe('a ping on the fast path', () => {
  const ping = (id: unknown, params?: object) => ({ jsonrpc: '2.0', id, method: 'ping', params });

  it.each([[1], ['a', {}], ['"', { _meta: { progressToken: 1 } }]])(
    'is answered as on the full path (id %j)',
    async (id, params?: object) => {
      const { post, open, told } = rig();
      const session = await open();
      told.length = 0;
      const fast = await post(ping(id, params), session);
      const full = await post(ping(id, params), { ...session, ...FULL_PATH });
      expect(fast.json()).toEqual({ jsonrpc: '2.0', id, result: {} });
      expect(full.json()).toEqual(fast.json());
      expect(fieldsOf(fast.text())).toEqual(fieldsOf(full.text()));
      const [first, second] = told.map(({ durationMs: _duration, ...record }) => record);
      expect(first).toMatchObject({ method: 'ping', outcome: 'ok' });
      expect(first).toEqual(second);
    },
  );

  it('is not known in the modern era', async () => {
    const { post, modern } = rig();
    const { body, headers } = modern('ping');
    expect((await post(body, headers)).json()).toMatchObject({ error: { code: -32601 } });
  });

  it('needs a session that is there', async () => {
    const { post, open } = rig();
    await open();
    expect((await post(ping(1), { 'mcp-session-id': 'none' })).response.statusCode).toBe(404);
  });
});

describe('a list on the fast path', () => {
  it.each([1, 0, -7, 'a', 'with "quotes" and é', ''])('is what it is on the full path (id %j)', async (id) => {
    const { post, open, told } = rig();
    const session = await open();
    told.length = 0;
    const fast = await post(listing(id), session);
    const full = await post(listing(id), { ...session, ...FULL_PATH });
    expect(fast.json()).toEqual(full.json());
    expect(fast.json()).toMatchObject({ id, result: { tools: [{ name: 'files__read' }] } });
    expect(fieldsOf(fast.text())).toEqual(fieldsOf(full.text()));
    const [first, second] = told.map(({ durationMs: _duration, ...record }) => record);
    expect(told).toHaveLength(2);
    expect(first).toEqual(second);
  });

  it('is what it is on the full path for clients of the modern era, too', async () => {
    const { post, modern, told } = rig();
    const { body, headers } = modern('tools/list');
    const fast = await post(body, headers);
    const full = await post(body, { ...headers, ...FULL_PATH });
    expect(fast.json()).toEqual(full.json());
    expect(fast.json()).toMatchObject({ result: { resultType: 'complete', tools: [{ name: 'files__read' }] } });
    expect(fieldsOf(fast.text())).toEqual(fieldsOf(full.text()));
    const [first, second] = told.map(({ durationMs: _duration, ...record }) => record);
    expect(first).toMatchObject({ era: 'modern' });
    expect(first).toEqual(second);
    const mismatch = await post(body, { ...headers, 'mcp-method': 'tools/call' });
    expect([mismatch.response.statusCode, mismatch.json()]).toMatchObject([400, { error: { code: -32020 } }]);
  });

  it.each([
    ['a cursor', listing(1, { cursor: 'x' }), -32602],
    ['no id that it may have', listing({}), undefined],
    ['another version', { ...listing(1), jsonrpc: '1.0' }, undefined],
  ])('is left to the full path with %s', async (_what, message, code) => {
    const { post, open } = rig();
    const answer = await post(message, await open());
    expect(answer.json()).toHaveProperty('error');
    if (code !== undefined) expect(answer.json()).toMatchObject({ error: { code } });
  });

  it('needs a session that is there', async () => {
    const { post, open } = rig();
    const session = await open();
    expect((await post(listing(1), { 'mcp-session-id': 'other' })).response.statusCode).toBe(404);
    expect((await post(listing(1), session, '/servers/files/mcp')).response.statusCode).toBe(404);
    expect((await post(listing(1))).json()).toMatchObject({ result: { tools: [{ name: 'files__read' }] } });
  });

  it('leaves it to the full path to say why there is none', () => {
    const gone = (): never => {
      throw new PlugboardError('SERVER_NOT_FOUND', 'It is gone.');
    };
    const steps = { tracer: undefined, limits: new CallLimits({ limits: {} }) } as unknown as DirectSteps;
    const lists = new OwnAnswers({ tools: { answer: gone } } as unknown as OwnAnswerParts, steps);
    const { body, headers } = rig().modern('tools/list');
    const turn = { request: { headers }, scope: {}, caller: { principal: 'local' } } as unknown as HttpTurn;
    expect(lists.take(turn, Buffer.from(JSON.stringify(body)))).toBe(false);
  });

  it('is one of a size that may be passed on', async () => {
    const { post, open } = rig({ maxResultBytes: 50 });
    expect((await post(listing(1), await open())).json()).toHaveProperty('id', 1);
  });
});
