import { deferred } from '@plugboard/base';
import { revisionOf } from '@plugboard/wire';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clientError } from '../error/to-client-error.js';
import { ScriptedTransport } from '../test-support/scripted-transport.js';
import type { LiveSession } from './live-session.js';
import { SessionKeeper } from './session-keeper.js';

const { signal } = new AbortController();

const liveOf = (generation: number): LiveSession & { transport: ScriptedTransport } => ({
  generation,
  transport: new ScriptedTransport(() => ({})),
  agreement: {
    revision: revisionOf('2025-11-25'),
    version: '2025-11-25',
    serverInfo: undefined,
    capabilities: {},
    instructions: undefined,
  },
  protocol: { era: 'legacy', revision: '2025-11-25', transport: 'stdio', checked_at: '2026-01-01T00:00:00Z' },
});

const keeperOf = (open: (generation: number, signal: AbortSignal) => Promise<LiveSession>) => {
  const told: string[] = [];
  const keeper = new SessionKeeper({
    open,
    onLive: ({ generation }) => told.push(`live ${generation}`),
    onGone: ({ generation }) => told.push(`gone ${generation}`),
  });
  return { keeper, told };
};

describe('SessionKeeper', () => {
  test('opens once for all who ask, and once per loss', async () => {
    let opened = 0;
    const { keeper, told } = keeperOf(async (generation) => {
      opened += 1;
      return liveOf(generation);
    });
    const first = await Promise.all(Array.from({ length: 10 }, () => keeper.acquire(signal)));
    expect(new Set(first).size).toBe(1);
    expect(first.map(({ generation }) => keeper.lose(generation)).filter(Boolean)).toHaveLength(1);
    const second = await Promise.all(Array.from({ length: 10 }, () => keeper.acquire(signal)));
    expect(new Set(second.map(({ generation }) => generation))).toEqual(new Set([2]));
    expect(keeper.lose(1)).toBe(false);
    expect(keeper.live?.generation).toBe(2);
    expect(opened).toBe(2);
    expect(told).toEqual(['live 1', 'gone 1', 'live 2']);
  });

  test('whatever the order of calls and losses, each loss is followed by at most one opening', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom('acquire', 'lose', 'lose-old'), { maxLength: 30 }), async (steps) => {
        let opened = 0;
        let losses = 0;
        const { keeper } = keeperOf(async (generation) => {
          opened += 1;
          return liveOf(generation);
        });
        for (const step of steps) {
          if (step === 'acquire') {
            await keeper.acquire(signal);
          } else {
            const generation = (keeper.live?.generation ?? 0) - (step === 'lose' ? 0 : 1);
            losses += keeper.lose(generation) ? 1 : 0;
          }
        }
        expect(opened).toBeLessThanOrEqual(losses + 1);
        await keeper.dispose();
      }),
    );
  });

  test('a failed opening is told to everybody who waits, and tried again by the next', async () => {
    let opened = 0;
    const { keeper } = keeperOf(async (generation) => {
      opened += 1;
      if (opened === 1) throw clientError('UPSTREAM_REFUSED', 'No.', { delivery: 'ambiguous' });
      return liveOf(generation);
    });
    const results = await Promise.allSettled([keeper.acquire(signal), keeper.acquire(signal)]);
    expect(results).toEqual([
      {
        status: 'rejected',
        reason: expect.objectContaining({ code: 'UPSTREAM_REFUSED', delivery: 'not-executed' }) as object,
      },
      { status: 'rejected', reason: expect.objectContaining({ code: 'UPSTREAM_REFUSED' }) as object },
    ]);
    expect((await keeper.acquire(signal)).generation).toBe(2);
  });

  test('one caller who gives up does not end the opening for the others', async () => {
    const gate = deferred<undefined>();
    const { keeper } = keeperOf(async (generation) => {
      await gate.promise;
      return liveOf(generation);
    });
    const impatient = new AbortController();
    const gone = keeper.acquire(impatient.signal);
    const patient = keeper.acquire(signal);
    impatient.abort();
    await expect(gone).rejects.toMatchObject({ code: 'CANCELLED' });
    gate.resolve(undefined);
    expect((await patient).generation).toBe(1);
  });

  test('dispose ends an opening, closes what it brought, and leaves the keeper usable', async () => {
    const gate = deferred<undefined>();
    const brought: (LiveSession & { transport: ScriptedTransport })[] = [];
    const { keeper } = keeperOf(async (generation) => {
      await gate.promise;
      const live = liveOf(generation);
      brought.push(live);
      return live;
    });
    const waiting = keeper.acquire(signal);
    waiting.catch(() => undefined);
    const disposed = keeper.dispose();
    gate.resolve(undefined);
    await disposed;
    await expect(waiting).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(brought[0]?.transport.closed).toBe(1);
    expect(keeper.live).toBeUndefined();
    expect((await keeper.acquire(signal)).generation).toBe(2);
    await keeper.dispose();
    expect(brought[1]?.transport.closed).toBe(1);
  });

  test('the old link is closed before the new one is opened, also when closing fails', async () => {
    const order: string[] = [];
    const { keeper } = keeperOf(async (generation) => {
      order.push(`open ${generation}`);
      const live = liveOf(generation);
      live.transport.close = async () => {
        await Promise.resolve();
        order.push(`close ${generation}`);
        throw new Error('already gone');
      };
      return live;
    });
    await keeper.acquire(signal);
    keeper.lose(1);
    await keeper.acquire(signal);
    expect(order).toEqual(['open 1', 'close 1', 'open 2']);
    await keeper.dispose();
  });
});
