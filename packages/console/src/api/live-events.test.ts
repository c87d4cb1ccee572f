import { describe, expect, it, vi } from 'vitest';
import type { HubEvent } from '@plugboard/contract';
import { LiveEvents } from './live-events.js';

class FakeStream extends EventTarget {
  closed = false;
  close(): void {
    this.closed = true;
  }
}

const rig = () => {
  const streams: FakeStream[] = [];
  let retry: () => void = () => undefined;
  const live = new LiveEvents({
    open: () => {
      const stream = new FakeStream();
      streams.push(stream);
      return stream as unknown as EventSource;
    },
    after: (_ms, act) => {
      retry = act;
      return () => {
        retry = () => undefined;
      };
    },
  });
  const last = (): FakeStream => streams.at(-1) ?? new FakeStream();
  return { live, streams, last, retry: () => retry() };
};

describe('the event stream', () => {
  it('passes events on, and ignores what is not one', () => {
    const { live, last } = rig();
    const seen: HubEvent[] = [];
    const stop = live.subscribe((event) => void seen.push(event));
    live.open();
    const event = { event: 'toolset_removed', at: '2026-01-01T00:00:00Z', name: 'x' };
    last().dispatchEvent(new MessageEvent('toolset_removed', { data: JSON.stringify(event) }));
    last().dispatchEvent(new MessageEvent('toolset_removed', { data: '{' }));
    stop();
    last().dispatchEvent(new MessageEvent('toolset_removed', { data: JSON.stringify(event) }));
    expect(seen).toEqual([event]);
  });

  it.each(['server_status', 'monitor_alert', 'events_missed'])('hears %s', (name) => {
    const { live, last } = rig();
    const seen: string[] = [];
    live.subscribe(({ event }) => void seen.push(event));
    live.open();
    last().dispatchEvent(new MessageEvent(name, { data: JSON.stringify({ event: name }) }));
    expect(seen).toEqual([name]);
  });

  it('connects again after it was lost, and says when it is back', () => {
    const { live, last, streams, retry } = rig();
    const back = vi.fn<() => void>();
    const changed = vi.fn<() => void>();
    live.onReturn = back;
    live.watch(changed);
    live.open();
    expect(live.state).toBe('connecting');
    last().dispatchEvent(new Event('open'));
    expect([live.state, back.mock.calls.length]).toEqual(['live', 0]);
    last().dispatchEvent(new Event('error'));
    expect([live.state, last().closed]).toEqual(['lost', true]);
    retry();
    last().dispatchEvent(new Event('open'));
    expect([live.state, back.mock.calls.length, streams.length]).toEqual(['live', 1, 2]);
    expect(changed).toHaveBeenCalledTimes(3);
  });

  it('stays closed once it was closed', () => {
    const { live, last, streams, retry } = rig();
    live.open();
    last().dispatchEvent(new Event('error'));
    live.close();
    retry();
    expect(streams).toHaveLength(1);
  });
});
