import type { PassThrough } from 'node:stream';
import { deferred } from '@plugboard/base';
import { buildRequest, buildResult, type Classified } from '@plugboard/wire';
import { describe, expect, it } from 'vitest';
import { createFakeChild } from '../supervisor/test-support/fake-child.js';
import type { LargeAnswer } from './large-answer.js';
import { StdioTransport } from './stdio.js';

const { signal } = new AbortController();
const line = (id: number): string => `${JSON.stringify(buildResult(id, { text: 'x'.repeat(700_000) }))}\n`;
const read = (id: number): readonly Classified[] => [{ kind: 'result', message: buildResult(id, { text: 'cut' }) }];

const rig = async () => {
  const child = createFakeChild(1);
  const transport = new StdioTransport({
    name: 's',
    events: { onIncoming: () => undefined, onLost: () => undefined },
    launch: () => Promise.resolve(child.process),
  });
  await transport.open(signal);
  const finished = deferred<readonly Classified[]>();
  const pushed: Buffer[] = [];
  const opened: unknown[] = [];
  let disposed = 0;
  const large: LargeAnswer = {
    push: (chunk) => void pushed.push(Buffer.from(chunk)),
    finish: () => finished.promise,
    [Symbol.dispose]: () => void (disposed += 1),
  };
  const ask = (id: number) =>
    transport.request(buildRequest(id, 'tools/call'), {
      signal,
      onIncoming: () => undefined,
      openLarge: (of) => {
        opened.push(of);
        return large;
      },
    });
  const say = (text: string): void => void (child.process.stdout as PassThrough).write(text);
  return { child, ask, say, finished, pushed, opened, disposed: () => disposed };
};

describe('a large answer of a program', () => {
  it('is read by somebody else than the event loop, while others are answered', async () => {
    const { ask, say, finished, pushed, opened, disposed } = await rig();
    const [large, small] = [ask(1), ask(2)];
    say(line(1));
    say(`${JSON.stringify(buildResult(2, { done: true }))}\n`);
    expect(await small).toMatchObject({ result: { done: true } });
    expect(opened).toEqual([1]);
    expect(`${Buffer.concat(pushed).toString()}\n` === line(1)).toBe(true);
    finished.resolve(read(1));
    expect(await large).toMatchObject({ id: 1, result: { text: 'cut' } });
    expect(disposed()).toBe(1);
  });

  it('is given although the program ended right after it', async () => {
    const { child, ask, say, finished, opened } = await rig();
    const [large, other] = [ask(1), ask(2)];
    say(line(1));
    await expect.poll(() => opened).toEqual([1]);
    (child.process.stdout as PassThrough).end();
    child.end({ code: 0 });
    finished.resolve(read(1));
    expect(await large).toMatchObject({ result: { text: 'cut' } });
    await expect(other).rejects.toMatchObject({ delivery: 'ambiguous' });
  });

  it('fails alone when nobody can read it', async () => {
    const { ask, say, finished } = await rig();
    const [large, other] = [ask(1), ask(2)];
    say(line(1));
    finished.reject(new Error('the thread ended'));
    await expect(large).rejects.toThrow('the thread ended');
    say(`${JSON.stringify(buildResult(2, {}))}\n`);
    expect(await other).toMatchObject({ id: 2 });
  });
});
