import type { ServerId } from '@plugboard/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SyncTrigger } from './sync-trigger.js';

const id: ServerId = 'mcp_server-00000000-0000-4000-8000-000000000000';

describe('SyncTrigger', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const setUp = (changed: () => boolean = () => true) => {
    const sync = vi.fn(async () => changed());
    const settled = vi.fn(async () => undefined);
    return { sync, settled, trigger: new SyncTrigger({ debounceMs: 100, maxDebounceMs: 1000, settled, sync }) };
  };

  it('makes one sync of many notices', async () => {
    const { sync, trigger } = setUp();
    for (let index = 0; index < 10; index += 1) trigger.notice(id);
    expect(sync).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(100);
    expect(sync.mock.calls).toEqual([[id]]);
    trigger.notice(id);
    await vi.advanceTimersByTimeAsync(100);
    expect(sync).toHaveBeenCalledTimes(2);
  });

  it('asks a server that cries wolf less and less often, and forgives at the first change', async () => {
    let changed = false;
    const { sync, trigger } = setUp(() => changed);
    for (const delay of [100, 200, 400, 800, 1000, 1000]) {
      trigger.notice(id);
      sync.mockClear();
      await vi.advanceTimersByTimeAsync(delay - 1);
      expect(sync).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(1);
      expect(sync).toHaveBeenCalledTimes(1);
    }
    changed = true;
    trigger.notice(id);
    await vi.advanceTimersByTimeAsync(1000);
    sync.mockClear();
    trigger.notice(id);
    await vi.advanceTimersByTimeAsync(100);
    expect(sync).toHaveBeenCalledTimes(1);
  });

  it('waits for a running sync, and drops the notice if the server is forgotten meanwhile', async () => {
    const { sync, settled, trigger } = setUp();
    let finish = (): void => undefined;
    settled.mockReturnValueOnce(new Promise((resolve) => (finish = () => resolve(undefined))));
    trigger.notice(id);
    await vi.advanceTimersByTimeAsync(100);
    trigger.forget(id);
    finish();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(sync).not.toHaveBeenCalled();
  });

  it('forgets a server, and everything when it is closed', async () => {
    const { sync, trigger } = setUp();
    trigger.notice(id);
    trigger.forget(id);
    trigger.notice(id);
    trigger.close();
    trigger.notice(id);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(sync).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });
});
