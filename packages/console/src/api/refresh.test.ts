import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { HubEvent } from '@plugboard/contract';
import type { LiveEvents } from './live-events.js';
import { refreshOnEvents, staleAfter } from './refresh.js';

describe('what events make stale', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it.each([
    ['server_status', ['servers']],
    ['server_synced', ['servers', 'tools', 'toolsets']],
    ['tool_approved', ['servers', 'tools', 'toolsets']],
    ['tool_rejected', ['servers', 'tools', 'toolsets']],
    ['oauth_required', ['servers', 'logins']],
    ['toolset_removed', ['toolsets']],
    ['check_run_finished', ['checks']],
    ['monitor_alert', ['monitor']],
    ['check_judged', []],
    ['events_missed', ['servers', 'tools', 'toolsets', 'checks', 'logins']],
  ] as const)('%s: %j', (event, subjects) => {
    expect(staleAfter(event)).toEqual(subjects);
  });

  it('is read again once for many events', () => {
    const listeners = new Set<(event: HubEvent) => void>();
    const live = {
      subscribe: (listener: (event: HubEvent) => void) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    };
    const queries = new QueryClient();
    const invalidated = vi.spyOn(queries, 'invalidateQueries').mockResolvedValue();
    const stop = refreshOnEvents(live as unknown as LiveEvents, queries);
    for (let count = 0; count < 50; count += 1) {
      for (const listener of listeners) listener({ event: 'server_status' } as HubEvent);
    }
    vi.runAllTimers();
    expect(invalidated.mock.calls).toEqual([[{ queryKey: ['servers'] }]]);
    stop();
    expect(listeners.size).toBe(0);
  });
});
