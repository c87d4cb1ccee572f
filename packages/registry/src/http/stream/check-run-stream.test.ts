import type { CheckRunEvent } from '@plugboard/contract';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { CheckRunListener } from '../../port/check-runs.js';
import { DEFAULT_LIMITS } from '../limits.js';
import { checkRunStream } from './check-run-stream.js';

const started: CheckRunEvent = { event: 'check_run_started', at: '2026-01-01T00:00:00.000Z', run_id: 'run-1' };

/** A stream with what it was given to listen with, and how often it stopped listening. */
const opened = async (signal = new AbortController().signal, heartbeatMs = 60_000) => {
  let listener: CheckRunListener | undefined;
  const unsubscribe = vi.fn<() => void>();
  const response = await checkRunStream({
    watch: async (given) => {
      listener = given;
      return unsubscribe;
    },
    limits: { ...DEFAULT_LIMITS, heartbeatMs },
    signal,
  });
  return { response, unsubscribe, event: (id: number) => listener?.event(id, started), end: () => listener?.end() };
};

describe('the stream of a run', () => {
  it('has every event with its number, and ends with the run', async () => {
    const { response, unsubscribe, event, end } = await opened();
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    event(1);
    event(2);
    end();
    event(3);
    const frame = (id: number): string => `id: ${id}\nevent: check_run_started\ndata: ${JSON.stringify(started)}\n\n`;
    expect(await response.text()).toBe(frame(1) + frame(2));
    expect(unsubscribe).toHaveBeenCalledOnce();
  });

  it('ends, and stops listening, when its reader goes away', async () => {
    const reader = new AbortController();
    const { response, unsubscribe, event } = await opened(reader.signal);
    event(1);
    reader.abort();
    expect(await response.text()).toContain('id: 1');
    expect(unsubscribe).toHaveBeenCalledOnce();
  });

  it('stops listening when its body is cancelled', async () => {
    const { response, unsubscribe, event } = await opened();
    await response.body?.cancel();
    event(1);
    expect(unsubscribe).toHaveBeenCalledOnce();
  });

  it('is over at once for a reader that has left before', async () => {
    const { response, unsubscribe } = await opened(AbortSignal.abort());
    expect(await response.text()).toBe('');
    expect(unsubscribe).toHaveBeenCalledOnce();
  });

  it('says from time to time that it is alive', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { response, end } = await opened(undefined, 1_000);
    await vi.advanceTimersByTimeAsync(2_500);
    end();
    expect(await response.text()).toBe(': heartbeat\n\n: heartbeat\n\n');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('passes on why a run cannot be followed', async () => {
    const watch = (): Promise<never> => Promise.reject(new Error('There is no run.'));
    const { signal } = new AbortController();
    await expect(checkRunStream({ watch, limits: DEFAULT_LIMITS, signal })).rejects.toThrow('There is no run.');
  });
});
