import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fakeProcess } from '../test-support/fake-process.js';
import { askSecret, typed } from './ask-secret.js';

const asked = async (...chunks: readonly string[]) => {
  const stdin = new PassThrough();
  const process = fakeProcess([], { stdin });
  const answer = askSecret('Value: ', process);
  for (const chunk of chunks) stdin.write(chunk);
  return { value: await answer, process };
};

describe('a secret that is typed', () => {
  it('is not echoed', async () => {
    const { value, process } = await asked('hun', 'ter2', '\r');
    expect(value).toBe('hunter2');
    expect(process.written.stdout + process.written.stderr).toBe('Value: \n');
  });

  it('can be corrected, and ends with its line', async () => {
    expect((await asked('ab\u007fc\b', 'd\nrest')).value).toBe('ad');
  });

  it('can be given up', async () => {
    await expect(asked('abc\u0003')).rejects.toMatchObject({ code: 'CANCELLED' });
    const stop = new AbortController();
    stop.abort();
    const process = fakeProcess([], { stdin: new PassThrough(), signal: stop.signal });
    await expect(askSecret('Value: ', process)).rejects.toMatchObject({ code: 'CANCELLED' });
  });

  it('keeps every character but those that edit', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        fc.pre(!Array.from(text).some((character) => '\r\n\u0003\u0004\u007f\b'.includes(character)));
        const line = Array.from(text).reduce(typed, { text: '', state: 'open' as const });
        expect(line).toEqual({ text, state: 'open' });
      }),
    );
  });
});
