import fc from 'fast-check';
import { PlugboardError, type AuditEntry, type AuditRecord } from '@plugboard/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isoTime } from '../port/clock.js';
import type { AuditStore, KeptAuditEntry } from '../store/store.js';
import { auditIds, AuditTrail } from './audit-trail.js';

const record = (target: string): AuditRecord => ({
  at: '2026-01-01T00:00:00.000Z',
  kind: 'call',
  actor: 'local',
  action: 'tools/call',
  target,
  outcome: 'ok',
  duration_ms: 1,
  details: {},
});

const setUp = (options: { readonly keepDays?: number; readonly maxWaiting?: number } = {}) => {
  const state = {
    stored: [] as KeptAuditEntry[],
    broken: false,
    forgotten: [] as string[],
    errors: 0,
    ms: 1_000_000_000_000,
  };
  const store: AuditStore = {
    append: async (entries) => {
      if (state.broken) throw new PlugboardError('STORE_UNAVAILABLE', 'gone');
      state.stored.push(...entries);
    },
    read: async () => state.stored.map((entry) => ({ ...entry, at: isoTime(entry.at), details: {} })),
    forgetBefore: async (at) => {
      state.forgotten.push(at);
      return 0;
    },
  };
  const log = { info: () => undefined, warn: () => undefined, error: () => void (state.errors += 1) };
  const trail = new AuditTrail({
    store,
    log,
    clock: { now: () => state.ms },
    flushMs: 1000,
    maxWaiting: 3,
    keepDays: 0,
    ...options,
  });
  return { state, trail };
};

const targets = (entries: readonly Pick<AuditEntry, 'target'>[]): string[] => entries.map(({ target }) => target);

describe('AuditTrail', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('gathers entries and writes them together', async () => {
    const { state, trail } = setUp();
    trail.record(record('a'));
    trail.record(record('b'));
    expect(state.stored).toEqual([]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(targets(state.stored)).toEqual(['a', 'b']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('writes before it reads and before it closes', async () => {
    const { state, trail } = setUp();
    trail.record(record('a'));
    expect(targets(await trail.read())).toEqual(['a']);
    trail.record(record('b'));
    await trail.close();
    expect(targets(state.stored)).toEqual(['a', 'b']);
  });

  it('keeps what could not be written, says so once, and admits what it had to drop', async () => {
    const { state, trail } = setUp();
    state.broken = true;
    for (const target of ['a', 'b', 'c', 'd', 'e']) trail.record(record(target));
    await trail.flush();
    await trail.flush();
    expect(state).toMatchObject({ stored: [], errors: 1 });
    state.broken = false;
    await trail.flush();
    expect(targets(state.stored)).toEqual(['a', 'b', 'c', 'audit']);
    expect(state.stored[3]).toMatchObject({ action: 'auditGap', details: '{"entries_lost":2}' });
  });

  it('keeps sixty entries of strangers a minute, and counts the others', async () => {
    const { state, trail } = setUp({ maxWaiting: 1000 });
    for (let each = 0; each < 100; each += 1) trail.recordStranger(record('stranger'));
    trail.record(record('known'));
    await trail.flush();
    expect(targets(state.stored)).toEqual([...Array.from({ length: 60 }, () => 'stranger'), 'known']);
    state.ms += 60_000;
    trail.recordStranger(record('stranger'));
    await trail.flush();
    expect(state.stored.slice(61)).toMatchObject([
      { target: 'stranger' },
      { actor: 'hub', action: 'unauthenticatedRequests', details: '{"entries_left_out":40}' },
    ]);
    await trail.close();
    expect(state.stored).toHaveLength(63);
  });

  it('tells at its end how many entries of strangers it left out', async () => {
    const { state, trail } = setUp({ maxWaiting: 1000 });
    for (let each = 0; each < 61; each += 1) trail.recordStranger(record('stranger'));
    await trail.close();
    expect(state.stored.at(-1)).toMatchObject({ action: 'unauthenticatedRequests', details: '{"entries_left_out":1}' });
  });

  it('forgets old entries, but not at every write', async () => {
    const { state, trail } = setUp({ keepDays: 1 });
    await trail.flush();
    await trail.flush();
    expect(state.forgotten).toEqual([new Date(state.ms - 86_400_000).toISOString()]);
    state.ms += 3_600_000;
    await trail.flush();
    expect(state.forgotten).toHaveLength(2);
  });
});

describe('auditIds', () => {
  it('are UUIDs that sort in the order in which they were made, whatever the clock does', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 50 }), (steps) => {
        const next = auditIds();
        const ids = steps.map((step) => next(1_700_000_000_000 + step));
        expect([...ids].sort()).toEqual(ids);
        expect(new Set(ids).size).toBe(ids.length);
        for (const id of ids) {
          expect(id).toMatch(/^audit-[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u);
        }
      }),
    );
  });

  it('do not run out within one millisecond', () => {
    const next = auditIds();
    const ids = Array.from({ length: 10_000 }, () => next(1_700_000_000_000));
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
