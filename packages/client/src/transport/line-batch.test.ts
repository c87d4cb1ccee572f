import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { LineBatch } from './line-batch.js';

const rig = () => {
  const calls: string[] = [];
  const input = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      calls.push(chunk.toString());
      done();
    },
    writev: (chunks, done) => {
      calls.push(chunks.map(({ chunk }) => (chunk as Buffer).toString()).join(''));
      done();
    },
  });
  const written: string[] = [];
  const batch = new LineBatch(input);
  const write = (text: string, isAlone = false): void =>
    batch.write(Buffer.from(text), isAlone, (error) => written.push(error?.message ?? text));
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return { input, calls, written, write, turn };
};

describe('lines for a program', () => {
  it('go into the pipe together when they come in one turn, and each is told', async () => {
    const { calls, written, write, turn } = rig();
    for (const text of ['a\n', 'b\n', 'c\n']) write(text);
    expect(calls).toEqual([]);
    await turn();
    expect(calls).toEqual(['a\nb\nc\n']);
    await turn();
    expect(written).toEqual(['a\n', 'b\n', 'c\n']);
    write('d\n');
    await turn();
    expect(calls).toEqual(['a\nb\nc\n', 'd\n']);
  });

  it('are written at once when nobody else waits, in the order in which they came', async () => {
    const { calls, write, turn } = rig();
    write('a\n', true);
    expect(calls).toEqual(['a\n']);
    write('b\n');
    write('c\n', true);
    await turn();
    expect(calls).toEqual(['a\n', 'b\nc\n']);
  });

  it('are not held back until the pipe seems full', async () => {
    const { input, calls, write, turn } = rig();
    const line = `${'x'.repeat(5000)}\n`;
    for (let index = 0; index < 6; index += 1) {
      write(line);
      expect(input.writableNeedDrain).toBe(false);
    }
    await turn();
    expect(calls.map(({ length }) => length)).toEqual([10_002, 10_002, 10_002]);
  });

  it('are told that the pipe broke', async () => {
    const { input, written, write, turn } = rig();
    input.on('error', () => undefined);
    write('a\n');
    input.destroy(new Error('broken'));
    await turn();
    expect(written).toEqual(['broken']);
  });
});
