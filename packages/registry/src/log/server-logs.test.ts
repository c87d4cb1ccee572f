import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PlugboardError, type ServerId } from '@plugboard/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEnvelopeSecretBox } from '../secret/envelope-secret-box.js';
import type { LogStore } from '../store/log-store.js';
import { openSqliteStore } from '../store/sqlite-store.js';
import type { Store } from '../store/store.js';
import { insert, sampleServer } from '../test-support/store-samples.js';
import { ServerLogs, type ServerLogsOptions } from './server-logs.js';

const signal = new AbortController().signal;

let home: string;
let store: Store;
let now: number;
let warnings: string[];
let id: ServerId;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'plugboard-logs-'));
  const secretBox = createEnvelopeSecretBox({ masterKey: new Uint8Array(32).fill(5) });
  store = await openSqliteStore({ file: join(home, 'p.db'), secretBox });
  now = Date.parse('2026-01-01T00:00:00Z');
  warnings = [];
  const server = sampleServer('shop');
  await insert(store, server);
  id = server.id;
});

afterEach(async () => {
  await store.close();
  await rm(home, { recursive: true, force: true });
});

const logsOn = (more: Partial<ServerLogsOptions> = {}): ServerLogs =>
  new ServerLogs({
    store: store.logs,
    clock: { now: () => now },
    log: { info: () => undefined, warn: (message) => void warnings.push(message), error: () => undefined },
    isRegistered: () => true,
    keepLines: 5,
    keepDays: 7,
    ...more,
  });

const textsOf = async (logs: ServerLogs): Promise<readonly string[]> =>
  (await logs.read(id, { limit: 100 })).map(({ text }) => text);

const write = (logs: ServerLogs, ...texts: readonly string[]): void => {
  for (const text of texts) logs.note({ serverId: id, kind: 'output', text, pid: 7 });
};

describe('the log of a server', () => {
  it('finds what was noted before, in order', async () => {
    const logs = logsOn();
    write(logs, 'one', 'two');
    expect(await textsOf(logs)).toEqual(['one', 'two']);
  });

  it.each([
    ['stopped', { reason: 'idle', code: null }],
    ['stopped', { reason: 'exited', code: 0 }],
    ['exited', { reason: 'exited', code: 3 }],
    ['exited', { reason: 'memory-limit', code: null }],
  ])('shows as %s an end with %j', async (kind, how) => {
    const logs = logsOn();
    const exit = { signal: null, error: null, last_lines: [], ...how };
    logs.note({ serverId: id, kind: 'exited', text: 'It ended.', exit });
    const [entry] = await logs.read(id, { limit: 1 });
    expect(entry?.kind).toBe(kind);
    expect(entry).not.toHaveProperty('exit');
  });

  it('keeps the last entries only, however many a program writes', async () => {
    const logs = logsOn();
    write(logs, ...Array.from({ length: 37 }, (_, index) => `line ${index}`));
    expect(await textsOf(logs)).toEqual(['line 32', 'line 33', 'line 34', 'line 35', 'line 36']);
    write(logs, 'last');
    expect((await textsOf(logs)).at(0)).toBe('line 33');
  });

  it('forgets entries that are too old', async () => {
    const logs = logsOn();
    write(logs, 'old');
    await logs.flush();
    now += 8 * 24 * 3_600_000;
    write(logs, 'new');
    expect(await textsOf(logs)).toEqual(['new']);
  });

  it('keeps nothing of a server that is only tried, nor of one that is gone', async () => {
    const tried = logsOn({ isRegistered: () => false });
    tried.note({ serverId: id, kind: 'started', text: 'Started.', pid: 7 });
    expect(tried.programOf(id)).toBeDefined();
    expect(await textsOf(tried)).toEqual([]);
    expect(tried.programOf(id)).toBeUndefined();

    const logs = logsOn();
    write(logs, 'one');
    await logs.flush();
    await logs.forget(id);
    expect(await textsOf(logs)).toEqual([]);
  });

  it('remembers across a restart how programs ended', async () => {
    const logs = logsOn();
    logs.note({ serverId: id, kind: 'started', text: 'Started.', pid: 7 });
    logs.note({
      serverId: id,
      kind: 'exited',
      text: 'Exited.',
      pid: 7,
      exit: { code: 1, signal: null, reason: 'exited', error: 'boom', last_lines: [] },
    });
    await logs.close();
    const next = logsOn();
    expect(next.programOf(id)).toBeUndefined();
    await next.recall();
    expect(next.programOf(id)).toMatchObject({ running: 0, starts_last_hour: 1, failures_last_hour: 1 });
  });
});

describe('waiting for an entry', () => {
  it('ends with the entry', async () => {
    const logs = logsOn();
    const waited = logs.wait(id, { limit: 10 }, { ms: 30_000, signal });
    setImmediate(() => write(logs, 'here'));
    expect((await waited).map(({ text }) => text)).toEqual(['here']);
  });

  it('ends without one when the time is up, or the reader goes away', async () => {
    const logs = logsOn();
    expect(await logs.wait(id, { limit: 10 }, { ms: 1, signal })).toEqual([]);
    const controller = new AbortController();
    const waited = logs.wait(id, { limit: 10 }, { ms: 30_000, signal: controller.signal });
    setImmediate(() => controller.abort());
    expect(await waited).toEqual([]);
  });
});

it('a store that cannot be written is reported once, and again after it worked', async () => {
  let broken = true;
  const failing: LogStore = {
    read: (...args) => store.logs.read(...args),
    lives: (...args) => store.logs.lives(...args),
    append: async (entries) => {
      if (broken) throw new PlugboardError('STORE_UNAVAILABLE', 'The disk is full.');
      await store.logs.append(entries);
    },
    keepLast: (...args) => store.logs.keepLast(...args),
    forgetBefore: async () => undefined,
    forget: (...args) => store.logs.forget(...args),
  };
  const logs = logsOn({ store: failing });
  write(logs, 'lost');
  await logs.flush();
  expect(warnings).toHaveLength(1);
  broken = false;
  write(logs, 'kept');
  expect(await textsOf(logs)).toEqual(['kept']);
  broken = true;
  write(logs, 'lost');
  await logs.flush();
  expect(warnings).toHaveLength(2);
});
