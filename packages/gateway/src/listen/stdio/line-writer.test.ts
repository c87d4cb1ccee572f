import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { LineWriter } from './line-writer.js';

const LONG = 'ä'.repeat(1024);
const settled = async (wait: Promise<unknown> | undefined): Promise<boolean> => {
  const state = { settled: false };
  const settle = (): void => void (state.settled = true);
  void wait?.then(settle, settle);
  await new Promise((next) => setImmediate(next));
  return state.settled;
};

const rigOf = (maxUnreadBytes?: number) => {
  const output = new PassThrough({ highWaterMark: 1024 });
  return { output, lines: new LineWriter(output, { maxUnreadBytes }) };
};

describe('LineWriter', () => {
  it('lets others wait until its reader has taken everything, and writes a line for each message', async () => {
    const { output, lines } = rigOf();
    expect(lines.drained()).toBeUndefined();
    lines.write('first');
    lines.write(`sec\r\nond ${LONG}`);
    lines.write('third');
    const wait = lines.drained();
    expect(await settled(wait)).toBe(false);
    let read = '';
    output.on('data', (chunk: Buffer) => (read += chunk.toString('latin1')));
    await wait;
    expect(Buffer.from(read, 'latin1').toString()).toBe(`first\nsec ond ${LONG}\nthird\n`);
    expect(lines.drained()).toBeUndefined();
  });

  it.each([
    ['its reader is gone', ({ output }: ReturnType<typeof rigOf>) => void output.destroy()],
    ['its reader broke', ({ output }: ReturnType<typeof rigOf>) => void output.destroy(new Error('EPIPE'))],
    ['nothing more is written', ({ lines }: ReturnType<typeof rigOf>) => lines.close()],
  ])('lets nobody wait once %s', async (_why, end) => {
    const rig = rigOf();
    rig.lines.write(LONG);
    const wait = rig.lines.drained();
    expect(await settled(wait)).toBe(false);
    end(rig);
    await wait;
    expect([rig.lines.open, rig.lines.drained()]).toEqual([false, undefined]);
    const before = rig.output.writableLength;
    rig.lines.write('too late');
    expect(rig.output.writableLength).toBe(before);
  });

  it('keeps every answer for a reader, but gives it up when it leaves too much of what it did not ask for', async () => {
    const { lines } = rigOf(8 * 1024);
    for (let answer = 0; answer < 8; answer += 1) lines.write(LONG);
    expect(await settled(lines.gone)).toBe(false);
    lines.tell(LONG);
    await expect(lines.gone).rejects.toMatchObject({ code: 'CANCELLED' });
    expect([lines.open, lines.drained()]).toEqual([false, undefined]);
  });
});
