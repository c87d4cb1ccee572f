import { describe, expect, test } from 'vitest';
import { Conversations } from './conversations.js';

describe('conversations', () => {
  test('are told apart by their session, or by the address of their stream', () => {
    const all = new Conversations();
    const opening = all.of(undefined, '/mcp');
    all.noteSession('a', opening);
    const stream = all.of(undefined, '/sse');
    all.noteEndpoint('/messages?id=1', stream);
    expect(all.of('a', '/mcp')).toBe(opening);
    expect(all.of(undefined, '/messages?id=1')).toBe(stream);
    expect([all.isEndpoint('/messages?id=1'), all.isEndpoint('/mcp')]).toEqual([true, false]);
    // A session that began before the recording.
    const older = all.of('b', '/mcp');
    expect(all.of('b', '/mcp')).toBe(older);
    expect(new Set([opening, stream, older, all.of(undefined, '/mcp'), all.of(undefined, '/mcp')]).size).toBe(5);
  });

  test('that are old are forgotten', () => {
    const all = new Conversations();
    const first = all.of('session-0', '/mcp');
    for (let index = 1; index <= 1_000; index += 1) all.of(`session-${index}`, '/mcp');
    expect(all.of('session-1000', '/mcp')).toBe(1_001);
    expect(all.of('session-0', '/mcp')).not.toBe(first);
  });
});
