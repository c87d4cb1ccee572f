import { expect, it } from 'vitest';
import { LineFeed } from './line-feed.js';

const linesOf = (...chunks: readonly (string | Buffer)[]): string[] => {
  const lines: string[] = [];
  const feed = new LineFeed((line) => lines.push(line));
  for (const chunk of chunks) feed.push(Buffer.from(chunk));
  feed.end();
  return lines;
};

it('cuts at every kind of line end, and leaves blank lines out', () => {
  expect(linesOf('a\nb\r\nc\rd\n\n  \n', 'e', 'f')).toEqual(['a', 'b', 'c', 'd', 'ef']);
});

it('puts characters together that were cut in two', () => {
  const [first, second] = Buffer.from('é');
  expect(linesOf(Buffer.of(first ?? 0), Buffer.of(second ?? 0))).toEqual(['é']);
});

it('shortens lines without an end, and goes on with the next', () => {
  const [long, next] = linesOf('x'.repeat(1_500), 'y'.repeat(1_500), 'z', '\nnext\n');
  expect([long?.length, long?.endsWith('y…'), next]).toEqual([2_001, true, 'next']);
});
