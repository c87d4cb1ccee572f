import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { watchConnect } from './connect.js';

const streams: Stream[] = [];

class Stream extends EventTarget {
  readonly url: string;
  closed = false;

  constructor(url: string) {
    super();
    this.url = url;
    streams.push(this);
  }

  close(): void {
    this.closed = true;
  }

  tell(event: string): void {
    this.dispatchEvent(new MessageEvent(event, { data: JSON.stringify({ event }) }));
  }
}

beforeEach(() => {
  streams.length = 0;
  vi.stubGlobal('EventSource', Stream);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const watch = () => {
  const heard: string[] = [];
  const stop = watchConnect('a/b', ({ event }) => void heard.push(event));
  const [stream] = streams;
  if (stream === undefined) throw new Error('No stream was opened.');
  return { heard, stop, stream };
};

it('reports each step, and closes the stream after the last one', () => {
  const { heard, stream } = watch();
  expect(stream.url).toBe('/v1/mcp-servers/connect/a%2Fb');
  stream.tell('connection_attempt');
  expect(stream.closed).toBe(false);
  stream.tell('success');
  expect(heard).toEqual(['connection_attempt', 'success']);
  expect(stream.closed).toBe(true);
});

it('closes the stream after an error that the hub reports', () => {
  const { heard, stream } = watch();
  stream.tell('error');
  expect(heard).toEqual(['error']);
  expect(stream.closed).toBe(true);
});

it('does not reconnect after the stream breaks', () => {
  const { heard, stream } = watch();
  stream.dispatchEvent(new Event('error'));
  expect(heard).toEqual([]);
  expect(stream.closed).toBe(true);
});

it('closes the stream when the caller stops', () => {
  const { stop, stream } = watch();
  stop();
  expect(stream.closed).toBe(true);
});
