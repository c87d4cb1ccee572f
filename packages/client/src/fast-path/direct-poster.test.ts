import type { Dispatcher } from 'undici';
import { describe, expect, it, vi } from 'vitest';
import { DispatcherPoster, type DirectPost, Http1Poster } from './direct-poster.js';
import type { Http1Handler, Http1Request } from './http1/http1-handler.js';
import type { Http1Pool } from './http1/http1-pool.js';

const url = new URL('http://server.test:8080/mcp?x=1');
const body = Buffer.from('{}');

const handlerOf = () => ({
  onRequestStart: vi.fn(),
  onResponseStart: vi.fn<Http1Handler['onResponseStart']>(),
  onResponseData: vi.fn(),
  onResponseEnd: vi.fn(),
  onResponseError: vi.fn(),
});

describe('posting over connections of our own', () => {
  const rig = () => {
    const sent: string[] = [];
    const dispatched: DirectPost[] = [];
    const pool = { post: ({ head }: Http1Request) => void sent.push(head) } as unknown as Http1Pool;
    const poster = new Http1Poster(pool, url, { post: (post) => void dispatched.push(post) });
    return {
      sent,
      dispatched,
      post: (fixed: string[], own: string[] = []) => poster.post({ fixed, own, body }, handlerOf()),
    };
  };

  it('writes the head of the request', () => {
    const { sent, post } = rig();
    post(['accept', 'application/json'], ['x-agent-id', 'agent-1']);
    const start = 'POST /mcp?x=1 HTTP/1.1\r\nhost: server.test:8080\r\nconnection: keep-alive\r\n';
    expect(sent).toEqual([`${start}accept: application/json\r\nx-agent-id: agent-1\r\n`]);
  });

  it('writes each field that changed, and none that did not', () => {
    const { sent, post } = rig();
    const fixed = ['a', '1'];
    for (const own of [['b', '1'], ['b', '1'], ['b', '2'], [], ['b', '1', 'c', '1']]) post(fixed, own);
    post(['a', '2'], ['b', '1', 'c', '1']);
    const fields = sent.map((head) => head.split('\r\n').slice(3, -1).join(' '));
    expect(fields).toEqual(['a: 1 b: 1', 'a: 1 b: 1', 'a: 1 b: 2', 'a: 1', 'a: 1 b: 1 c: 1', 'a: 2 b: 1 c: 1']);
  });

  it.each([
    ['Host', 'other.test'],
    ['transfer-encoding', 'chunked'],
    ['content-length', '1'],
    ['x-key', 'a\r\nx-other: b'],
    ['x-key', 'a\0'],
    ['x-key', '\u4f60'],
    ['x key', 'a'],
    ['', 'a'],
  ])('leaves %j: %j to undici, wherever it comes from', (name, value) => {
    const { sent, dispatched, post } = rig();
    post([name, value]);
    post(['accept', '*/*'], [name, value]);
    expect(sent).toEqual([]);
    expect(dispatched).toHaveLength(2);
  });
});

describe('posting through undici', () => {
  it('tells of an answer as the other way does', () => {
    const handler = handlerOf();
    let heard: Dispatcher.DispatchHandler = {};
    const dispatch = vi.fn((_options: Dispatcher.DispatchOptions, given: Dispatcher.DispatchHandler) => {
      heard = given;
      return true;
    });
    const poster = new DispatcherPoster({ dispatcher: { dispatch } as unknown as Dispatcher }, url);
    poster.post({ fixed: ['accept', '*/*'], own: ['a', 'b'], body }, handler);
    expect(dispatch.mock.calls[0]?.[0]).toMatchObject({
      origin: 'http://server.test:8080',
      path: '/mcp?x=1',
      method: 'POST',
      headers: ['accept', '*/*', 'a', 'b'],
      body,
    });
    const controller = {} as Dispatcher.DispatchController;
    heard.onRequestStart?.(controller, undefined);
    heard.onResponseStart?.(controller, 103, {});
    heard.onResponseStart?.(controller, 200, { 'content-type': 'text/plain' });
    heard.onResponseData?.(controller, body);
    heard.onResponseEnd?.(controller, {});
    heard.onResponseError?.(controller, new Error('late'));
    expect(handler.onResponseStart).toHaveBeenCalledOnce();
    const [, status, head] = handler.onResponseStart.mock.calls[0] ?? [];
    expect([status, head?.contentType, head?.headers()]).toEqual([200, 'text/plain', { 'content-type': 'text/plain' }]);
    for (const told of [
      handler.onRequestStart,
      handler.onResponseData,
      handler.onResponseEnd,
      handler.onResponseError,
    ]) {
      expect(told).toHaveBeenCalledOnce();
    }
  });
});
