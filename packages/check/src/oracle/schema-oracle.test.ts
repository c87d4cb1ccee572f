import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../connection/json.js';
import { REVISIONS } from '../session/revision.js';
import { createOracles } from './schema-oracle.js';

const oracles = createOracles();
const flaw = (revision: string, message: JsonObject, answers?: string): string | undefined =>
  oracles(revision)?.flaw({ message, revision, answers, sent: undefined, connection: 1 });

const tools = { tools: [{ name: 'a', inputSchema: { type: 'object' } }] };
const modern = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };

describe('the shapes', () => {
  test.each(REVISIONS)('of %s take what is right', (revision) => {
    const extra = revision === '2026-07-28' ? modern : {};
    expect(flaw(revision, { jsonrpc: '2.0', id: 1, result: { ...tools, ...extra } }, 'tools/list')).toBeUndefined();
    expect(
      flaw(revision, { jsonrpc: '2.0', id: 'x', error: { code: -1, message: 'm' } }, 'tools/list'),
    ).toBeUndefined();
    expect(flaw(revision, { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'm' } })).toBeUndefined();
    const progress = { method: 'notifications/progress', params: { progressToken: 1, progress: 1 } };
    expect(flaw(revision, { jsonrpc: '2.0', ...progress })).toBeUndefined();
  });

  test.each(REVISIONS)('of %s find what is wrong', (revision) => {
    const extra = revision === '2026-07-28' ? modern : {};
    const nameless = { tools: [{ inputSchema: { type: 'object' } }], ...extra };
    expect(flaw(revision, { jsonrpc: '2.0', id: 1, result: nameless }, 'tools/list')).toContain('name');
    expect(flaw(revision, { jsonrpc: '1.0', id: 1, result: { ...tools, ...extra } }, 'tools/list')).toContain(
      'jsonrpc',
    );
    expect(flaw(revision, { jsonrpc: '2.0', id: 1, error: { code: 'x', message: 'm' } })).toContain('code');
    expect(flaw(revision, { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } })).toContain(
      'progressToken',
    );
  });

  test('demand of a modern result that it says its kind', () => {
    expect(flaw('2026-07-28', { jsonrpc: '2.0', id: 1, result: tools }, 'tools/list')).toMatch(/required property/u);
    expect(flaw('2025-11-25', { jsonrpc: '2.0', id: 1, result: tools }, 'tools/list')).toBeUndefined();
  });

  test('know nothing of revisions that were never published', () => {
    expect(oracles('1999-01-01')).toBeUndefined();
  });
});
