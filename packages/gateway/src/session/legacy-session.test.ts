import type { JsonRpcMessage } from '@plugboard/wire';
import { describe, expect, it } from 'vitest';
import { clientOf, emptyScope } from '../test-support/call.js';
import { LegacySession } from './legacy-session.js';
import { SessionTable } from './session-table.js';

const open = () => {
  const sent: JsonRpcMessage[] = [];
  const session = new LegacySession({
    id: crypto.randomUUID(),
    scope: emptyScope,
    client: clientOf('2025-11-25'),
    deliver: (message) => sent.push(message),
  });
  return { session, sent };
};
const live = new AbortController().signal;

describe('a legacy session', () => {
  it('asks its client and takes the answer, or the refusal', async () => {
    const { session, sent } = open();
    const asked = session.channel.ask?.('roots/list', {}, live);
    const refused = session.channel.ask?.('roots/list', {}, live);
    expect(sent).toMatchObject([{ id: 1, method: 'roots/list' }, { id: 2 }]);
    session.settle({ jsonrpc: '2.0', id: 1, result: { roots: [] } });
    session.settle({ jsonrpc: '2.0', id: 2, error: { code: -1, message: 'no' } });
    session.settle({ jsonrpc: '2.0', id: 99, result: {} });
    expect(await asked).toEqual({ roots: [] });
    await expect(refused).rejects.toMatchObject({ rpc: { code: -1, message: 'no' } });
  });

  it('takes back a request whose large body waits for its turn', async () => {
    const { session } = open();
    session.cancel({ requestId: 'never came' });
    const wasRead = session.awaitBody();
    session.cancel({ requestId: 'large' });
    const [large, other, before] = ['large', 'other', 'never came'].map((id) => session.begin(id));
    await Promise.resolve();
    expect([large, other, before].map((begun) => begun?.signal.aborted)).toEqual([true, false, false]);
    session.cancel({ requestId: 'of a body that was read' });
    wasRead();
    const later = session.begin('of a body that was read');
    await Promise.resolve();
    expect(later.signal.aborted).toBe(false);
  });

  it('takes a question back, and its own requests on demand', async () => {
    const { session, sent } = open();
    const server = new AbortController();
    const asked = session.channel.ask?.('roots/list', {}, server.signal);
    server.abort();
    await expect(asked).rejects.toThrow('cancelled');
    expect(sent.at(-1)).toMatchObject({ method: 'notifications/cancelled', params: { requestId: 1 } });
    const { signal, end } = session.begin('r');
    session.cancel({ requestId: 'r' });
    session.cancel({});
    expect(signal.aborted).toBe(true);
    end();
    expect(session.busy).toBe(false);
  });

  it('ends everything at once, once', async () => {
    const { session } = open();
    let ended = 0;
    session.onEnd(() => (ended += 1));
    const { signal } = session.begin(1);
    const asked = session.channel.ask?.('roots/list', {}, live);
    session.end();
    session.end();
    session.onEnd(() => (ended += 1));
    expect([ended, signal.aborted, session.ended]).toEqual([2, true, true]);
    await expect(asked).rejects.toThrow('over');
    await expect(session.channel.ask?.('roots/list', {}, live)).rejects.toThrow('disconnected');
  });
});

describe('the table of sessions', () => {
  it('lets a thousand abandoned ones go after their time, and none that is in use', () => {
    let now = 0;
    const table = new SessionTable({ idleMs: 1000, now: () => now });
    for (let index = 0; index < 1000; index += 1) {
      const { session } = open();
      session.usedAt = 0;
      table.add({ session });
    }
    const { session: busy } = open();
    busy.openStreams = 1;
    busy.usedAt = 0;
    table.add({ session: busy });
    now = 999;
    table.sweep();
    expect(table.size).toBe(1001);
    now = 1000;
    table.sweep();
    expect(table.size).toBe(1);
    table.close();
    expect(table.size).toBe(0);
  });

  it('makes room for a new one by ending the oldest, or refuses it', () => {
    const table = new SessionTable({ maxSessions: 1 });
    const [first, second] = [open().session, open().session];
    table.add({ session: first });
    table.add({ session: second });
    expect([first.ended, table.size]).toEqual([true, 1]);
    second.openStreams = 1;
    expect(() => table.add({ session: open().session })).toThrow('as many sessions');
    table.close();
  });

  it('knows a session only at its endpoint and for its caller', () => {
    const table = new SessionTable();
    const { session } = open();
    table.add({ session });
    expect(table.find(session.id, emptyScope, { principal: 'local' }).session).toBe(session);
    for (const [id, scope, who] of [
      ['none', emptyScope, 'local'],
      [session.id, { ...emptyScope, id: 'other' }, 'local'],
      [session.id, emptyScope, 'eve'],
    ] as const) {
      expect(() => table.find(id, scope, { principal: who })).toThrow('session does not exist');
    }
    table.close();
  });
});
