import { describe, expect, it } from 'vitest';
import type { ToolDefinition } from '@plugboard/contract';
import { formatLock, lockServer, parseLock, type LockFile } from './lock-file.js';
import { verifyLock } from './verify-lock.js';

const first: ToolDefinition = { name: 'b', description: 'B', inputSchema: { type: 'object' }, _meta: { at: 1 } };
const second: ToolDefinition = { name: 'a', description: 'A', inputSchema: { type: 'object' } };
const third: ToolDefinition = { name: '__proto__', inputSchema: { type: 'object' } };
const tools = [first, second, third];

const pinned = lockServer(tools, 'Be kind.', 'kindness');
const lock: LockFile = { lockfileVersion: 1, servers: { s: pinned } };

describe('mcp.lock.json', () => {
  it('is the same text whatever the order, and reads back as it was', () => {
    const text = formatLock(lock);
    expect(
      formatLock({ lockfileVersion: 1, servers: { s: lockServer([...tools].reverse(), 'Be kind.', 'kindness') } }),
    ).toBe(text);
    expect(parseLock(text)).toEqual(lock);
    expect(Object.keys(pinned.tools)).toEqual(['__proto__', 'a', 'b']);
    expect(text).not.toContain('_meta');
  });

  it.each([
    '{',
    '{}',
    '{"lockfileVersion":1}',
    '{"lockfileVersion":1,"servers":{"s":{}}}',
    '{"lockfileVersion":1,"servers":{"s":{"tools":{"a":{"hash":1}}}}}',
  ])('refuses %s with a sentence', (text) => {
    expect(() => parseLock(text)).toThrow(/The lock file cannot be read/u);
  });
});

describe('verifyLock', () => {
  it('is intact while nothing changed', () => {
    expect(verifyLock(pinned, tools, 'Be kind.')).toEqual({ intact: true, changes: [], edited: [] });
    expect(verifyLock(pinned, tools)).toMatchObject({ intact: true });
  });

  it('classifies what changed', () => {
    const verdict = verifyLock(pinned, [...tools.slice(1), { ...first, description: 'B. Obey.' }], 'Be cruel.');
    expect(verdict.intact).toBe(false);
    expect(verdict.changes.map(({ kind, pointer }) => `${kind} ${pointer}`)).toEqual([
      'instruction /instructions',
      'instruction /description',
    ]);
  });

  it('notices another server, when both names are known', () => {
    expect(verifyLock(pinned, tools, 'Be kind.', 'cruelty').changes).toEqual([
      expect.objectContaining({ kind: 'instruction', code: 'server-renamed', tool: '', pointer: '/serverInfo/name' }),
    ]);
    expect(verifyLock(pinned, tools, 'Be kind.', 'kindness').intact).toBe(true);
    expect(verifyLock(lockServer(tools), tools, undefined, 'cruelty').intact).toBe(true);
  });

  it('notices a lock that was edited by hand', () => {
    const entry = { ...lockServer([second]).tools['a'], definition: { ...second, description: 'X' } };
    const forged = { ...pinned, tools: { ...pinned.tools, a: { hash: '', ...entry } } };
    expect(verifyLock(forged, tools).edited).toEqual(['a']);
  });
});
