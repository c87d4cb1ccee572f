import type { Principal } from '@plugboard/contract';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { StoredKeyedRequests } from '../keyed/stored-keyed-requests.js';
import { createEnvelopeSecretBox } from '../secret/envelope-secret-box.js';
import { openSqliteStore } from '../store/sqlite-store.js';
import type { AdminAppOptions } from './app/admin-app.js';
import { adminFixture } from './test-support/admin-fixture.js';

const setUp = async (options: Partial<AdminAppOptions> = {}) => {
  const secretBox = createEnvelopeSecretBox({ masterKey: new Uint8Array(32) });
  const directory = await mkdtemp(join(tmpdir(), 'plugboard-keyed-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const store = await openSqliteStore({ file: join(directory, 'store.db'), secretBox });
  onTestFinished(() => store.close());
  const keyedRequests = new StoredKeyedRequests({
    store: store.keyedRequests,
    holder: 'one',
    isRunning: () => Promise.resolve(false),
    onUnsaved: () => undefined,
  });
  onTestFinished(() => keyedRequests.close());
  const { app, registry } = await adminFixture({}, { keyedRequests, ...options });
  const send = async (method: string, path: string, key: string | undefined, body?: unknown) => {
    const answer = await app.request(path, {
      method,
      headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { 'idempotency-key': key }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, json: JSON.parse(text || 'null') as never, headers: answer.headers };
  };
  return { send, registry, store };
};

describe('the admin API with an idempotency key', () => {
  it('carries a change out once, and answers it alike', async () => {
    const { send, registry } = await setUp();
    const made = await send('POST', '/v1/toolsets', 'k1', { name: 'a' });
    const again = await send('POST', '/v1/toolsets', 'k1', { name: 'a' });
    expect(made.status).toBe(200);
    expect([again.status, again.json]).toEqual([made.status, made.json]);
    expect([made, again].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true']);
    expect(again.headers.get('content-type')).toBe(made.headers.get('content-type'));
    expect(again.headers.get('x-content-type-options')).toBe('nosniff');
    const { id } = made.json as { id: string };
    expect((await send('DELETE', `/v1/toolsets/${id}`, 'k2')).status).toBe(204);
    expect((await send('DELETE', `/v1/toolsets/${id}`, 'k2')).status).toBe(204);
    expect((await send('DELETE', `/v1/toolsets/${id}`, 'k3')).status).toBe(404);
    await expect
      .poll(async () => (await registry.audit.read()).filter(({ details }) => details['repeated'] === true).length)
      .toBe(2);
  });

  it('refuses a key of another request, and one that is none', async () => {
    const { send } = await setUp();
    await send('POST', '/v1/toolsets', 'k1', { name: 'a' });
    expect(await send('POST', '/v1/toolsets', 'k1', { name: 'b' })).toMatchObject({
      status: 422,
      json: { error: { code: 'IDEMPOTENCY_KEY_REUSED' } },
    });
    expect(await send('POST', '/v1/toolsets', 'a b', { name: 'c' })).toMatchObject({
      status: 400,
      json: { error: { code: 'INVALID_ARGUMENT' } },
    });
    expect((await send('GET', '/v1/toolsets', 'k1')).json).toHaveLength(1);
  });

  it('takes a request that was refused again', async () => {
    const { send } = await setUp();
    expect((await send('POST', '/v1/toolsets', 'k1', { nothing: 1 })).status).toBe(422);
    expect((await send('POST', '/v1/toolsets', 'k1', { name: 'a' })).status).toBe(200);
  });

  it('keeps no new key, which is told once', async () => {
    const { send, store } = await setUp();
    const kept: string[] = [];
    const settle = store.keyedRequests.settle.bind(store.keyedRequests);
    store.keyedRequests.settle = (attempt, outcome) => {
      kept.push(outcome);
      return settle(attempt, outcome);
    };
    const made = await send('POST', '/v1/keys', 'k1', { name: 'laptop', role: 'viewer' });
    const { key } = made.json as { key: string };
    expect(key).toMatch(/^pb_/u);
    expect(await send('POST', '/v1/keys', 'k1', { name: 'laptop', role: 'viewer' })).toMatchObject({
      status: 409,
      json: { error: { code: 'CONFLICT' } },
    });
    expect((await send('GET', '/v1/keys', undefined)).json).toHaveLength(1);
    expect(kept).toHaveLength(1);
    expect(kept.join('')).not.toContain(key);
  });

  it('tells one token of a person nothing that another one was told', async () => {
    const principals: Principal[] = [
      { id: 'ada', role: 'operator' },
      { id: 'ada', role: 'agent' },
    ];
    const { send } = await setUp({ admit: () => principals.shift() ?? { id: 'ada', role: 'operator' } });
    const made = await send('POST', '/v1/toolsets', 'k1', { name: 'a' });
    expect(made.status).toBe(200);
    expect(await send('POST', '/v1/toolsets', 'k1', { name: 'a' })).toMatchObject({
      status: 422,
      json: { error: { code: 'IDEMPOTENCY_KEY_REUSED' } },
    });
    expect((await send('POST', '/v1/toolsets', 'k1', { name: 'a' })).json).toEqual(made.json);
  });
});
