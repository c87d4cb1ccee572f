import type { PassThrough } from 'node:stream';
import { deferred } from '@plugboard/base';
import { buildRequest, buildResult } from '@plugboard/wire';
import { describe, expect, test } from 'vitest';
import { createFakeChild } from '../supervisor/test-support/fake-child.js';
import { StdioTransport } from './stdio.js';

const { signal } = new AbortController();
const events = { onIncoming: () => undefined, onLost: () => undefined };
const told = (count: number): string =>
  `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: count } })}\n`;

describe('a child whose one caller does not keep up', () => {
  test('is not read until it does, unless somebody else calls', async () => {
    const child = createFakeChild(1);
    const { stdout } = child.process;
    const say = (text: string): void => void (stdout as PassThrough).write(text);
    const transport = new StdioTransport({ name: 's', events, launch: () => Promise.resolve(child.process) });
    await transport.open(signal);
    const slow = deferred<undefined>();
    let heard = 0;
    const first = transport.request(buildRequest(1, 'tools/call'), {
      signal,
      onIncoming: () => (heard += 1),
      pace: () => (heard === 1 ? slow.promise : undefined),
    });
    say(told(1));
    await expect.poll(() => stdout.isPaused()).toBe(true);
    say(told(2));
    expect(heard).toBe(1);
    slow.resolve(undefined);
    await expect.poll(() => heard).toBe(2);
    heard = 0;
    say(told(3));
    await expect.poll(() => heard).toBe(1);
    const second = transport.request(buildRequest(2, 'tools/call'), { signal, onIncoming: () => undefined });
    await expect.poll(() => stdout.isPaused()).toBe(false);
    const ended = Promise.allSettled([first, second]);
    await transport.close();
    expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  test('is read to the end once it is gone', async () => {
    const child = createFakeChild(1);
    const { stdout } = child.process;
    const say = (text: string): void => void (stdout as PassThrough).write(text);
    const transport = new StdioTransport({ name: 's', events, launch: () => Promise.resolve(child.process) });
    await transport.open(signal);
    const never = new Promise<void>(() => undefined);
    const answer = transport.request(buildRequest(1, 'tools/call'), {
      signal,
      onIncoming: () => undefined,
      pace: () => never,
    });
    say(told(1));
    await expect.poll(() => stdout.isPaused()).toBe(true);
    say(`${JSON.stringify(buildResult(1, { done: true }))}\n`);
    child.end({ code: 0 });
    expect(await answer).toMatchObject({ result: { done: true } });
  });
});
