import { PassThrough } from 'node:stream';
import { DEFAULT_MAX_LINE_BYTES } from '@plugboard/base';
import { expect, it } from 'vitest';
import { serveLines } from './serve-lines.js';

/** Each line is under way until the end. */
const serve = () => {
  const [input, output, stop] = [new PassThrough(), new PassThrough(), new AbortController()];
  const seen: string[] = [];
  const finish: (() => void)[] = [];
  const converse = () => ({
    take: (line: string) => {
      seen.push(line);
      const work = new Promise<void>((_resolve, reject) => finish.push(() => reject(new Error('ended'))));
      return [work.finally(() => seen.push(`end of ${line}`))];
    },
    end: () => {
      for (const reject of finish) reject();
    },
  });
  const served = serveLines({ input, output }, converse, stop.signal);
  return { input, output, stop, seen, served };
};

it('answers a line that is too long, and takes the next one', async () => {
  const { input, output, seen, served } = serve();
  input.write(Buffer.alloc(DEFAULT_MAX_LINE_BYTES + 1, 'x'));
  input.end('\nnext\n');
  await served;
  expect(String(output.read())).toMatch(/^\{.*"id":null.*-32600.*\}\n$/u);
  expect(seen).toEqual(['next', 'end of next']);
});

it.each([
  ['the input ends', ({ input }: ReturnType<typeof serve>) => void input.end('last'), ['last', 'end of last']],
  ['the output is closed', ({ output }: ReturnType<typeof serve>) => void output.destroy(), []],
  ['it is stopped', ({ stop }: ReturnType<typeof serve>) => stop.abort(), []],
])('waits for all that is under way when %s', async (_why, end, last) => {
  const rig = serve();
  rig.input.write('first\n');
  await expect.poll(() => rig.seen).toEqual(['first']);
  end(rig);
  await rig.served;
  expect(rig.seen.toSorted()).toEqual(['first', 'end of first', ...last].toSorted());
  expect(rig.input.listenerCount('data')).toBe(0);
});
