import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clientOf, emptyScope } from '../test-support/call.js';
import { MemoryKeeping } from '../test-support/memory-keeping.js';
import { HttpSession } from './http-session.js';
import { SessionJournal } from './session-journal.js';
import { SessionSeal } from './session-seal.js';
import { readState } from './session-state.js';

const IDLE_MS = 80_000;

let keeping: MemoryKeeping;
let journal: SessionJournal;
const failures: unknown[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  failures.length = 0;
  keeping = new MemoryKeeping();
  journal = new SessionJournal({ keeping, idleMs: IDLE_MS, onFailure: (error) => failures.push(error) });
});
afterEach(async () => {
  await journal.close();
  vi.useRealTimers();
});

const opened = (): HttpSession => {
  const holder = new HttpSession(emptyScope, clientOf('2025-11-25'));
  void journal.keep(holder);
  return holder;
};

const keyOf = ({ session }: HttpSession): string => new SessionSeal(session.id).key;

/** What the next hub would find. */
const stateOf = async ({ session }: HttpSession) => {
  const seal = new SessionSeal(session.id);
  const kept = await keeping.load(seal.key);
  const state = kept && readState(session.id, kept, seal);
  return state && { ...state, past: state.readPast() };
};

describe('the journal of sessions', () => {
  it('writes what changed in one batch, a moment later', async () => {
    const holders = [opened(), opened()];
    for (const { session } of holders) session.logLevel = 'error';
    holders[0]?.session.noteSubscription('note://one', true);
    expect(keeping.batches).toEqual([]);
    await vi.advanceTimersByTimeAsync(250);
    expect(keeping.batches).toHaveLength(1);
    const states = await Promise.all(holders.map(stateOf));
    expect(states.map((state) => [state?.past.logLevel, state?.past.subscriptions])).toEqual([
      ['error', ['note://one']],
      ['error', []],
    ]);
    await vi.advanceTimersByTimeAsync(5000);
    expect(keeping.batches).toHaveLength(1);
  });

  it('writes each event once, and drops what the log dropped', async () => {
    const holder = opened();
    for (let batch = 0; batch < 3; batch += 1) {
      for (let event = 0; event < 300; event += 1) {
        holder.session.channel.notify({ jsonrpc: '2.0', method: `n${batch}-${event}` });
      }
      await vi.advanceTimersByTimeAsync(250);
    }
    const state = await stateOf(holder);
    const events = state?.past.events.events ?? [];
    // 500 are kept in memory; the store may have the rest of the part that the oldest came with.
    expect(events.slice(-500)).toEqual(holder.log.newerThan(0));
    expect(events).toHaveLength(600);
    expect(new Set(events.map(({ id }) => id)).size).toBe(600);
  });

  it('keeps a large answer in memory only, and what stands for it in the store', async () => {
    const holder = opened();
    const stream = holder.openStream(() => 'interrupted');
    stream.send('x'.repeat(70_000), () => 'it was large');
    stream.send('y'.repeat(70_000));
    await vi.advanceTimersByTimeAsync(250);
    const state = await stateOf(holder);
    expect(state?.past.events.events.map(({ data }) => data)).toEqual(['it was large']);
    expect(state?.past.interrupted).toEqual([[1, 'interrupted']]);
    holder.closeStream(stream);
    await vi.advanceTimersByTimeAsync(250);
    expect((await stateOf(holder))?.past.interrupted).toEqual([]);
  });

  it('forgets sessions that end, but not those that end with the hub', async () => {
    const [ends, stays] = [opened(), opened()];
    await vi.advanceTimersByTimeAsync(250);
    ends.session.end();
    await vi.advanceTimersByTimeAsync(250);
    expect([...keeping.sessions.keys()]).toEqual([keyOf(stays)]);
    stays.session.logLevel = 'debug';
    await journal.close();
    stays.session.end();
    await vi.advanceTimersByTimeAsync(5000);
    expect((await stateOf(stays))?.past.logLevel).toBe('debug');
  });

  it('tries again when the store fails, and loses nothing', async () => {
    keeping.failure = new Error('no store');
    const [ends, stays] = [opened(), opened()];
    stays.session.channel.notify({ jsonrpc: '2.0', method: 'told' });
    await vi.advanceTimersByTimeAsync(250);
    ends.session.end();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(failures.length).toBeGreaterThan(1);
    keeping.failure = undefined;
    await vi.advanceTimersByTimeAsync(5000);
    expect([...keeping.sessions.keys()]).toEqual([keyOf(stays)]);
    expect((await stateOf(stays))?.past.events.events).toHaveLength(1);
  });

  it('writes many sessions in several batches', async () => {
    for (let count = 0; count < 1200; count += 1) opened();
    await vi.advanceTimersByTimeAsync(2000);
    expect(keeping.sessions.size).toBe(1200);
    expect(keeping.batches.map(({ sessions }) => sessions.length)).toEqual([500, 500, 200]);
  });

  it('does not write more in a batch than the store takes in a moment', async () => {
    for (let count = 0; count < 8; count += 1) {
      const holder = opened();
      for (let event = 0; event < 16; event += 1) holder.openStream().send('z'.repeat(60_000));
    }
    await vi.advanceTimersByTimeAsync(2000);
    expect(keeping.batches.length).toBeGreaterThan(1);
    expect(keeping.events.size).toBe(8);
  });

  it('writes that a session is in use, now and then, and forgets those that are not', async () => {
    const holder = opened();
    await vi.advanceTimersByTimeAsync(250);
    keeping.sessions.set('old', { key: 'old', generation: 0, sealed: '', idleMs: 2 * IDLE_MS });
    const before = keeping.batches.length;
    holder.session.openStreams = 1;
    await vi.advanceTimersByTimeAsync(IDLE_MS / 8 + 250);
    expect(keeping.batches.slice(before).flatMap(({ sessions }) => sessions)).toMatchObject([
      { key: keyOf(holder), idleMs: 0 },
    ]);
    expect(keeping.sessions.has('old')).toBe(false);
  });

  it('ends a session here that another replica took over, and leaves it in the store', async () => {
    const holder = opened();
    await vi.advanceTimersByTimeAsync(250);
    await keeping.claim(keyOf(holder), 0);
    holder.session.logLevel = 'debug';
    await vi.advanceTimersByTimeAsync(1000);
    expect(holder.session.ended).toBe(true);
    expect(keeping.sessions.get(keyOf(holder))?.generation).toBe(1);
    expect((await stateOf(holder))?.past.logLevel).toBeUndefined();
  });

  it('does not bring back a session that ended when something of it still changes', async () => {
    const holder = opened();
    await journal.flush();
    holder.session.end();
    await journal.flush();
    holder.session.noteSubscription('x://a', true);
    await journal.flush();
    expect(await keeping.load(keyOf(holder))).toBeUndefined();
  });

  it('saves the others when one session cannot be written, and says so once', async () => {
    const [poisonous, normal] = [opened(), opened()];
    await journal.flush();
    poisonous.openStream(() => {
      throw new RangeError('Invalid string length');
    });
    for (const { session } of [poisonous, normal]) session.logLevel = 'error';
    await journal.flush();
    poisonous.session.logLevel = 'debug';
    await journal.flush();
    expect((await stateOf(normal))?.past.logLevel).toBe('error');
    expect(failures).toHaveLength(1);
    // What was written before is out of date.
    expect([...keeping.sessions.keys()]).toEqual([keyOf(normal)]);
    expect(poisonous.session.ended).toBe(false);
  });

  it.each([
    ['subscriptions', 40, (index: number) => `x://${index}${'a'.repeat(8000)}`],
    ['subscriptions that grow when they are written', 10, (index: number) => `x://${index}${'\u0001'.repeat(8000)}`],
  ])('does not save a session with more than 256 KiB of %s', async (_, count, uriOf) => {
    const [large, normal] = [opened(), opened()];
    for (let index = 0; index < count; index += 1) large.session.noteSubscription(uriOf(index), true);
    await journal.flush();
    expect([...keeping.sessions.keys()]).toEqual([keyOf(normal)]);
    expect(failures).toMatchObject([{ code: 'PAYLOAD_TOO_LARGE' }]);
  });

  it('keeps a session that had many subscriptions and gave them up in time', async () => {
    const holder = opened();
    const uris = Array.from({ length: 40 }, (_, index) => `x://${index}${'a'.repeat(8000)}`);
    for (const isOn of [true, false]) for (const uri of uris) holder.session.noteSubscription(uri, isOn);
    holder.session.noteSubscription('x://kept', true);
    await journal.flush();
    expect((await stateOf(holder))?.past.subscriptions).toEqual(['x://kept']);
  });
});
