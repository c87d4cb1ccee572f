import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { PostReply } from './post-reply.js';

const newResponse = (): ServerResponse => new ServerResponse(new IncomingMessage(new Socket()));

describe('a reply that takes long', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('becomes a stream', () => {
    const response = newResponse();
    const reply = new PostReply({ response, acceptsStream: true, silentMs: 50 });
    expect(reply.streaming).toBe(false);
    vi.advanceTimersByTime(50);
    expect(reply.streaming).toBe(true);
    expect(response.headersSent).toBe(true);
    reply.finish({ text: () => '{}' });
  });

  test('leaves the response alone once it was released', () => {
    const response = newResponse();
    const reply = new PostReply({ response, acceptsStream: true, silentMs: 50 });
    reply.release();
    response.writeHead(400).end('refused by somebody else');
    expect(() => vi.advanceTimersByTime(60_000)).not.toThrow();
    reply.deliver({ jsonrpc: '2.0', method: 'notifications/progress' });
    reply.finish({ text: () => '{}' });
    expect(reply.streaming).toBe(false);
    expect(response.statusCode).toBe(400);
  });

  test('ends its stream when it is released without a result', () => {
    const response = newResponse();
    const reply = new PostReply({ response, acceptsStream: true, silentMs: 50 });
    vi.advanceTimersByTime(50);
    reply.release();
    expect(response.writableEnded).toBe(true);
  });

  test('stays plain for clients that take no streams', () => {
    const response = newResponse();
    const reply = new PostReply({ response, acceptsStream: false, silentMs: 50 });
    vi.advanceTimersByTime(60_000);
    expect(response.headersSent).toBe(false);
    reply.finish({ text: () => '{"ok":true}' });
    expect(response.statusCode).toBe(200);
  });
});
