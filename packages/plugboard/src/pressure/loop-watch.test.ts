import { channel } from 'node:diagnostics_channel';
import { setTimeout as sleep } from 'node:timers/promises';
import { timedWork } from '@plugboard/contract';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { LoopWatch } from './loop-watch.js';

let watch: LoopWatch | undefined;
afterEach(() => watch?.close());

/** Uses the processor until it has used so much of it, however busy the machine is. */
const busy = (ms: number): void => {
  const before = process.cpuUsage();
  for (;;) {
    const { user, system } = process.cpuUsage(before);
    if ((user + system) / 1000 > ms) return;
  }
};

describe('LoopWatch', () => {
  it('names the work that blocked the event loop', async () => {
    const log = { warn: vi.fn() };
    watch = new LoopWatch({ log });
    await sleep(60);
    log.warn.mockClear();
    timedWork(
      () => 'examining a huge tool',
      () => busy(400),
    );
    await expect.poll(() => log.warn.mock.calls.length).toBeGreaterThan(0);
    const [message, fields] = log.warn.mock.calls[0] as [string, { readonly ms: number; readonly by: string }];
    expect(message).toBe('The event loop was blocked.');
    expect(fields.by).toMatch(/examining a huge tool|the process did not run/u);
    expect(fields.ms).toBeGreaterThan(200);
    expect(watch.figures.count).toBeGreaterThan(0);
  });

  it('looks less often while no request comes, and as often as before once one does', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    try {
      const timers = vi.spyOn(globalThis, 'setInterval');
      const every = () => timers.mock.lastCall?.[1];
      watch = new LoopWatch({ log: { warn: vi.fn() } });
      expect(every()).toBe(50);
      vi.advanceTimersByTime(950);
      expect(every()).toBe(50);
      vi.advanceTimersByTime(50);
      expect(every()).toBe(250);
      channel('http.server.request.start').publish({ request: { method: 'GET', url: '/' } });
      expect(every()).toBe(50);
      expect(vi.getTimerCount()).toBe(1);
    } finally {
      // The spy is on the faked timer: restored last, it would put that one back.
      vi.restoreAllMocks();
      vi.useRealTimers();
    }
  });

  it('says nothing of what is short', async () => {
    const log = { warn: vi.fn() };
    // A machine that is busy with others must not fail this.
    watch = new LoopWatch({ log, blockedMs: 20_000 });
    timedWork(
      () => 'something short',
      () => busy(1),
    );
    await sleep(120);
    expect(log.warn).not.toHaveBeenCalled();
  });
});
