import type { Server, ServerId } from '@plugboard/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Catalogue } from '../catalogue/catalogue.js';
import { ScriptedReach } from '../test-support/scripted-reach.js';
import { Revalidation } from './revalidation.js';

const START = Date.parse('2026-01-01T00:00:00Z');
const EVERY_MS = 60_000;

beforeEach(() => void vi.useFakeTimers({ now: START }));
afterEach(() => void vi.useRealTimers());

interface Given {
  readonly type?: 'stdio' | 'streamable_http';
  readonly readAt?: number | undefined;
  readonly enabled?: boolean;
  readonly ttlMs?: number;
}

const setUp = ({ type = 'streamable_http', readAt, enabled = true, ttlMs }: Given = {}) => {
  const id: ServerId = 'mcp_server-00000000-0000-4000-8000-000000000000';
  const state = { readAt };
  const server = (): Server =>
    ({
      id,
      enabled,
      config: { mcp_server_type: type },
      last_sync: state.readAt === undefined ? null : { at: new Date(state.readAt).toISOString() },
    }) as unknown as Server;
  const known = () => ({ stored: { server: server() } });
  const catalogue = { all: () => [known()], get: () => known() } as unknown as Catalogue;
  const asked: number[] = [];
  const noticed: number[] = [];
  const running = { now: false };
  const met: ((id: ServerId, isAnother: boolean) => void)[] = [];
  const reach = Object.assign(new ScriptedReach(), {
    toolsTtlMs: () => ttlMs,
    onOpened: (listener: (id: ServerId, isAnother: boolean) => void) => {
      met.push(listener);
      return () => void met.splice(0);
    },
  });
  const revalidation = new Revalidation({
    catalogue,
    reach,
    clock: { now: () => Date.now() },
    everyMs: EVERY_MS,
    syncs: {
      inBackground: (ids) => {
        if (ids.length === 0) return;
        asked.push(Date.now() - START);
        state.readAt = Date.now();
      },
      notice: () => void noticed.push(Date.now() - START),
      isRunning: () => running.now,
    },
  });
  const open = (isAnother: boolean) => met.forEach((listener) => listener(id, isAnother));
  return { asked, noticed, running, revalidation, open };
};

describe('a list is read again', () => {
  it('behind a start, when it was read by an earlier process', () => {
    const { asked } = setUp({ readAt: START - 1000 });
    vi.advanceTimersByTime(EVERY_MS - 1);
    expect(asked).toEqual([5000]);
  });

  it('after the interval, and after every further one', () => {
    const { asked } = setUp({ readAt: START });
    vi.advanceTimersByTime(2 * EVERY_MS + 10_000);
    expect(asked).toEqual([EVERY_MS, 2 * EVERY_MS]);
  });

  it('after the time for which the server called it fresh, within bounds', () => {
    const { asked } = setUp({ readAt: START, ttlMs: 20_000 });
    vi.advanceTimersByTime(41_000);
    expect(asked).toEqual([20_000, 40_000]);
    const hasty = setUp({ readAt: Date.now(), ttlMs: 1 });
    vi.advanceTimersByTime(10_500);
    expect(hasty.asked).toHaveLength(1);
  });

  it('less often when a program has to be started for it', () => {
    const { asked } = setUp({ readAt: START, type: 'stdio' });
    vi.advanceTimersByTime(4 * EVERY_MS + 1000);
    expect(asked).toEqual([4 * EVERY_MS]);
  });

  it('when the server is met again after a while, or is another', () => {
    const { noticed, open, running } = setUp({ readAt: START });
    open(false);
    expect(noticed).toEqual([]);
    open(true);
    expect(noticed).toEqual([0]);
    vi.advanceTimersByTime(31_000);
    open(false);
    expect(noticed).toEqual([0, 31_000]);
    running.now = true;
    open(true);
    expect(noticed).toHaveLength(2);
  });
});

describe('a list is not read again', () => {
  it.each<[string, Given]>([
    ['before it was read at all', {}],
    ['of a server that is switched off', { readAt: START - 1000, enabled: false }],
  ])('%s', (_, given) => {
    const { asked } = setUp(given);
    vi.advanceTimersByTime(10 * EVERY_MS);
    expect(asked).toEqual([]);
  });

  it('after the end', () => {
    const { asked, noticed, open, revalidation } = setUp({ readAt: START - 1000 });
    revalidation.stop();
    vi.advanceTimersByTime(10 * EVERY_MS);
    open(true);
    expect([...asked, ...noticed]).toEqual([]);
  });
});
