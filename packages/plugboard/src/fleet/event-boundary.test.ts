import { describe, expect, it } from 'vitest';
import { EventBoundary } from './event-boundary.js';

const after = (contentType: unknown, ...chunks: readonly string[]): boolean => {
  const boundary = new EventBoundary(contentType);
  for (const chunk of chunks) boundary.note(Buffer.from(chunk));
  return boundary.isBetweenEvents;
};

describe('the boundary of events', () => {
  const type = 'text/event-stream; charset=utf-8';

  it.each<readonly [chunks: readonly string[], isBetween: boolean]>([
    [[], true],
    [['data: 1\n\n'], true],
    [['data: 1\n', '\n'], true],
    [['data: 1', '\n', '', '\n'], true],
    [[': \n\n', 'd'], false],
    [['data: 1\n'], false],
    [['data: 1\n\n', 'data: 2\n'], false],
  ])('is found in chunks of any size: %j', (chunks, isBetween) => {
    expect(after(type, ...chunks)).toBe(isBetween);
  });

  it('is nowhere in other answers', () => {
    expect([after('application/json', '{}\n\n'), after(undefined), after(['text/event-stream'])]).toEqual([
      false,
      false,
      false,
    ]);
  });
});
