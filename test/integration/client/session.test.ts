/// <reference lib="esnext.disposable" />
import { McpProcessError, McpSessionError, type SessionStore, type StoredSession } from '@plugboard/client';
import type { FakeServer } from '@plugboard/testing';
import { describe, expect, test } from 'vitest';
import { allRigs, isModern, isStdio, openRig, textOf, type RigKind } from './rig.js';

/** Makes a fake lose its sessions before the next call; a dead child is noticed at once. */
const loseSessions = (kind: RigKind, server: FakeServer): void => {
  if (isStdio(kind)) {
    server.cut();
    return;
  }
  if (kind !== 'legacy HTTP+SSE') {
    // There it would also end the stream, which is another way to lose a session.
    server.dropSessions();
  }
  server.script.on('tools/call').always().respondStatus(404);
  const unsubscribe = server.log.subscribe(({ method }) => {
    if (method === 'initialize' || method === 'server/discover') {
      server.script.clear();
      unsubscribe();
    }
  });
};

describe.each(allRigs)('sessions over %s', (kind) => {
  test('nothing is sent before the first call; the first call opens the session', async () => {
    await using rig = await openRig(kind);
    const { client, server } = rig;
    expect([client.isInitialized, client.sessionId, client.protocol, rig.links()]).toEqual([
      false,
      undefined,
      undefined,
      0,
    ]);
    expect(server.log.methods()).toEqual([]);
    expect(textOf(await client.callTool('echo', { text: 'hé' }))).toBe('hé');
    expect(client.isInitialized).toBe(true);
    expect(client.protocol).toMatchObject({
      era: isModern(kind) ? 'modern' : 'legacy',
      revision: isModern(kind) ? '2026-07-28' : '2025-11-25',
    });
    expect(client.serverInfo).toMatchObject({ name: expect.any(String) as string });
  });

  test('concurrent first calls open one session, later calls use it', async () => {
    await using rig = await openRig(kind);
    const { client, server } = rig;
    const texts = Array.from({ length: 20 }, (_unused, index) => `call ${index}`);
    const results = await Promise.all(texts.map((text) => client.callTool('echo', { text })));
    expect(results.map(textOf)).toEqual(texts);
    await client.callTool('echo', { text: 'later' });
    expect(server.log.count(rig.opening)).toBe(1);
    expect(server.counters.toolsCall).toBe(21);
    expect(rig.links()).toBe(1);
  });

  test('ids are never used twice, also across sessions', async () => {
    await using rig = await openRig(kind);
    const { client, server } = rig;
    await client.callTool('echo', { text: 'one' });
    await client.dispose();
    await client.callTool('echo', { text: 'two' });
    const ids = server.log.methods().flatMap((method) => server.log.of(method).map((entry) => entry.id));
    const unique = new Set(server.log.of('tools/call').map((entry) => entry.id));
    expect(unique.size).toBe(2);
    expect(ids.filter((id) => id !== undefined).length).toBeGreaterThan(3);
  });

  test('a session lost once is opened again once, and the call is sent again', async () => {
    await using rig = await openRig(kind);
    const { client, server } = rig;
    await client.connect();
    const before = client.sessionId;
    loseSessions(kind, server);
    expect(textOf(await client.callTool('counter'))).toBe('1');
    expect(server.log.count(rig.opening)).toBe(2);
    expect(server.counters.toolsCall).toBe(isStdio(kind) ? 1 : 2);
    expect(server.counters.executed('counter')).toBe(1);
    expect(rig.links()).toBe(isStdio(kind) ? 2 : 1);
    if (kind.startsWith('legacy streamable')) expect(client.sessionId).not.toBe(before);
    expect(rig.events.filter((event) => event.type === 'session-lost')).toHaveLength(1);
  });

  test('a session that is lost every time ends with the real error and its history', async () => {
    await using rig = await openRig(kind);
    const { client, server } = rig;
    server.script
      .on('tools/call')
      .always()
      .play(isStdio(kind) ? { crash: 'after-read' } : { status: 404 });
    const failure: unknown = await client
      .callTool('echo', { text: '' }, { readOnly: true })
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: isStdio(kind) ? 'PROCESS_EXITED' : 'SESSION_LOST',
      attempts: [{ attempt: 1 }, { attempt: 2 }],
    });
    expect(failure).toBeInstanceOf(isStdio(kind) ? McpProcessError : McpSessionError);
    expect(server.log.count(rig.opening)).toBe(2);
    expect(server.counters.toolsCall).toBe(2);
    expect(server.counters.executed()).toBe(0);
  });

  test('50 callers at the moment of a loss: one new session, nobody fails, 50 executions', async () => {
    await using rig = await openRig(kind, { server: { tools: ['echo', 'counter', 'sleep'] } });
    const { client, server } = rig;
    await client.callTool('echo', { text: 'warm' });
    loseSessions(kind, server);
    const results = await Promise.all(Array.from({ length: 50 }, () => client.callTool('counter')));
    expect(new Set(results.map(textOf)).size).toBe(50);
    expect(server.counters.executed('counter')).toBe(50);
    expect(server.log.count(rig.opening)).toBe(2);
  });

  test('dispose is idempotent, releases everything, and the client can be used again', async () => {
    await using rig = await openRig(kind);
    const { client, server } = rig;
    client.onNotification(() => undefined);
    await client.callTool('echo', { text: 'one' });
    await Promise.all([client.dispose(), client.dispose()]);
    await client.dispose();
    expect([client.isInitialized, client.sessionId, client.protocol]).toEqual([false, undefined, undefined]);
    await server.log.until(
      () => (server.counters.openConnections + server.counters.openStreams === 0 ? true : undefined),
      { timeoutMs: 5_000 },
    );
    expect(server.log.verbs().filter((verb) => verb === 'DELETE')).toHaveLength(
      kind.startsWith('legacy streamable') ? 1 : 0,
    );
    expect(textOf(await client.callTool('echo', { text: 'two' }))).toBe('two');
    expect(rig.links()).toBe(2);
    expect(server.log.count(rig.opening)).toBe(2);
  });

  test('the list of tools opens the session, is kept for those whom the last one serves, and goes with dispose', async () => {
    await using rig = await openRig(kind);
    const { client, server } = rig;
    const first = await client.listTools({ cached: true });
    expect(await client.listTools({ cached: true })).toBe(first);
    expect(server.log.count('tools/list')).toBe(1);
    await client.listTools();
    expect(server.log.count('tools/list')).toBe(2);
    await client.dispose();
    await client.listTools({ cached: true });
    expect(server.log.count('tools/list')).toBe(3);
    expect(server.log.count(rig.opening)).toBe(2);
  });

  test('await using disposes', async () => {
    await using rig = await openRig(kind);
    {
      await using client = rig.client;
      await client.connect();
      expect(client.isInitialized).toBe(true);
    }
    expect(rig.client.isInitialized).toBe(false);
  });

  test('a call in flight ends when the client is disposed, and opens nothing anew', async () => {
    await using rig = await openRig(kind);
    const { client, server } = rig;
    const call = client.callTool('hang', {}, { readOnly: true }).catch((error: unknown) => error);
    await server.log.arrival('tools/call');
    await client.dispose();
    expect(await call).toMatchObject({ code: 'CANCELLED' });
    expect(client.isInitialized).toBe(false);
    expect(server.log.count(rig.opening)).toBe(1);
  });
});

const memoryStore = (initial?: StoredSession): SessionStore & { current: StoredSession | undefined } => ({
  current: initial,
  async load() {
    return this.current;
  },
  async save(session) {
    this.current = session;
  },
  async clear() {
    this.current = undefined;
  },
});

describe('a stored session', () => {
  test('is resumed without a handshake, with its version', async () => {
    const store = memoryStore();
    await using first = await openRig('legacy streamable HTTP', {
      client: { sessionStore: store, keepSession: true },
    });
    await first.client.callTool('counter');
    const stored = store.current;
    expect(stored).toMatchObject({ sessionId: first.client.sessionId, version: '2025-11-25' });
    await first.client.dispose();
    expect(first.server.log.verbs()).not.toContain('DELETE');
    expect(textOf(await first.client.callTool('counter'))).toBe('2');
    expect(first.server.counters.initialize).toBe(1);
    expect(first.client.capabilities).toMatchObject({ tools: expect.any(Object) as object });
    expect(first.server.log.of('tools/call').at(-1)?.headers).toMatchObject({
      'mcp-session-id': stored?.sessionId,
      'mcp-protocol-version': '2025-11-25',
    });
  });

  test('that the server has dropped is replaced and cleared', async () => {
    const store = memoryStore({ sessionId: 'long-gone', version: '2025-06-18' });
    await using rig = await openRig('legacy streamable HTTP', { client: { sessionStore: store } });
    expect(textOf(await rig.client.callTool('counter'))).toBe('1');
    expect(rig.server.counters.initialize).toBe(1);
    expect(rig.server.counters.toolsCall).toBe(2);
    expect(store.current?.sessionId).toBe(rig.client.sessionId);
    await rig.client.dispose();
    expect(store.current).toBeUndefined();
  });
});

describe.each([
  {
    what: 'HTTP 400 that speaks of a session',
    fault: { status: 400, body: rpc(-32000, 'Bad Request: No valid session ID provided') },
  },
  { what: 'HTTP 404 with -32001', fault: { status: 404, body: rpc(-32001, 'Session not found') } },
  { what: '-32001 inside HTTP 200', fault: { error: { code: -32001, message: 'Session not found' } } },
  { what: '-32000 inside HTTP 200', fault: { error: { code: -32000, message: 'Your session has expired' } } },
])('$what', ({ fault }) => {
  test.each(['legacy streamable HTTP', 'legacy HTTP+SSE'] as const)('is a lost session over %s', async (kind) => {
    await using rig = await openRig(kind);
    rig.server.script.on('tools/call').first().play(fault);
    expect(textOf(await rig.client.callTool('counter'))).toBe('1');
    expect(rig.server.counters.initialize).toBe(2);
  });
});

test('-32000 that does not speak of a session is the answer, and is not repeated', async () => {
  await using rig = await openRig('legacy streamable HTTP');
  rig.server.script.on('tools/call').first().respondError(-32000, 'The disk is full');
  await expect(rig.client.callTool('counter')).rejects.toMatchObject({
    kind: 'protocol',
    rpc: { code: -32000, message: 'The disk is full' },
  });
  expect(rig.server.counters.toolsCall).toBe(1);
});

function rpc(code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } });
}
