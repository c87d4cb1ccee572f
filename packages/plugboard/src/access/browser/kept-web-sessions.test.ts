import type { KeptSession, SessionKeeping } from '@plugboard/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { KeptWebSessions } from './kept-web-sessions.js';
import { WebSessions } from './web-sessions.js';

const KEY = 'pb_canary_key';
const GRAIN = 60_000;

let rows: Map<string, KeptSession>;
let failures: unknown[];
let now: number;
let broken: boolean;

const keeping: Pick<SessionKeeping, 'load' | 'save'> = {
  load: async (key) => {
    const session = rows.get(key);
    return session === undefined ? undefined : { session, events: [] };
  },
  save: async ({ sessions, ended }) => {
    if (broken) throw new Error('the disk is full');
    for (const session of sessions) rows.set(session.key, session);
    for (const { key } of ended) rows.delete(key);
    return [];
  },
};

/** A process with the same store as the others. */
const start = (localKey: string): WebSessions =>
  new WebSessions({
    now: () => now,
    maxMs: 20 * GRAIN,
    idleMs: 3 * GRAIN,
    localKey,
    kept: new KeptWebSessions({ keeping, onFailure: (error) => failures.push(error) }),
  });

beforeEach(() => {
  rows = new Map();
  failures = [];
  now = 1_000_000;
  broken = false;
});

describe('a session of a browser that is kept', () => {
  it('is the same for the process that comes after', async () => {
    const first = start('pb_local_1');
    const { token, session } = first.open(KEY);
    await first.flush();
    const revived = await start('pb_local_2').find(token);
    expect(revived?.credential.reveal()).toBe(KEY);
    expect([revived?.csrf, revived?.expiresAt]).toEqual([session.csrf, session.expiresAt]);
  });

  it('of the owner is one of the owner, who has another key then', async () => {
    const first = start('pb_local_1');
    const { token } = first.open('pb_local_1');
    await first.flush();
    expect((await start('pb_local_2').find(token))?.credential.reveal()).toBe('pb_local_2');
  });

  it('shows nobody its token, its key or its proof', async () => {
    const sessions = start('pb_local_1');
    const { token, session } = sessions.open(KEY);
    await sessions.flush();
    const stored = JSON.stringify([...rows]);
    for (const secret of [token, KEY, session.csrf]) expect(stored).not.toContain(secret);
    expect(await start('x').find(`${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`)).toBeUndefined();
    expect(await start('x').find('no token')).toBeUndefined();
  });

  it('is over for every process once it was closed, also while that is being written', async () => {
    const first = start('pb_local_1');
    const { token } = first.open(KEY);
    first.close(token);
    expect(await first.find(token)).toBeUndefined();
    await first.flush();
    expect(rows.size).toBe(0);
    expect(await start('pb_local_2').find(token)).toBeUndefined();
  });

  it('that another process ended is over here within a minute of use', async () => {
    const first = start('pb_local_1');
    const { token } = first.open(KEY);
    await first.flush();
    const second = start('pb_local_2');
    await second.find(token);
    second.close(token);
    await second.flush();
    now += GRAIN;
    await first.find(token);
    await expect.poll(() => first.find(token)).toBeUndefined();
  });

  it('is over after a time without use, and at its end, whatever process has it', async () => {
    const first = start('pb_local_1');
    const { token } = first.open(KEY);
    await first.flush();
    now += 2 * GRAIN;
    await first.find(token);
    await new Promise((resolve) => setImmediate(resolve));
    await first.flush();
    now += 2 * GRAIN;
    expect(await start('pb_local_2').find(token)).toBeDefined();
    now += 3 * GRAIN;
    expect(await start('pb_local_3').find(token)).toBeUndefined();
  });

  it('is not lost at this process when the store fails', async () => {
    broken = true;
    const sessions = start('pb_local_1');
    const { token, session } = sessions.open(KEY);
    await sessions.flush();
    expect(await sessions.find(token)).toBe(session);
    expect(failures).toHaveLength(1);
  });
});
