import { describe, expect, it } from 'vitest';
import { estimateServerTokens, estimateTokens, estimateToolTokens } from './estimate-tokens.js';

describe('estimateTokens', () => {
  // counted once with o200k_base
  it.each([
    ['', 0],
    ['hello world', 2],
    ['The quick brown fox jumps over the lazy dog.', 10],
    ['{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}', 19],
    ['Retrieves the authenticated configuration of an internationalization provider', 10],
  ])('%j takes about %d', (text, counted) => {
    expect(Math.abs(estimateTokens(text) - counted)).toBeLessThanOrEqual(Math.max(1, counted * 0.25));
  });

  it('counts other scripts by their characters', () => {
    expect(estimateTokens('获取当前天气')).toBeGreaterThanOrEqual(3);
    expect(estimateTokens('获取当前天气')).toBeLessThanOrEqual(8);
  });
});

describe('estimateToolTokens', () => {
  const tool = { name: 'read', description: 'Reads a file.', inputSchema: { type: 'object', properties: {} } };

  it('adds up the tools of a server', () => {
    expect(estimateServerTokens([tool, tool])).toBe(2 * estimateToolTokens(tool));
    expect(estimateToolTokens({ ...tool, description: 7 })).toBeLessThan(estimateToolTokens(tool));
  });

  it('takes no offence at what cannot be written as JSON', () => {
    const self: Record<string, unknown> = {};
    self['self'] = self;
    expect(estimateToolTokens({ name: 'x', inputSchema: self })).toBe(0);
  });
});
