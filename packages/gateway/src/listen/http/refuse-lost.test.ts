import { describe, expect, it } from 'vitest';
import { transportAt } from './endpoint-path.js';
import { requestIdsIn } from './refuse-lost.js';

const idsIn = (body: unknown) => requestIdsIn(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)));
const message = (id?: unknown, more: object = { method: 'ping' }) => ({ ...more, jsonrpc: '2.0', id });

describe('requests that were lost', () => {
  it('are found by their ids, alone and in a batch', () => {
    expect(idsIn(message(7))).toEqual({ ids: [7], isBatch: false });
    expect(idsIn(message('seven'))).toEqual({ ids: ['seven'], isBatch: false });
    expect(idsIn([message(1), message(), message('b')])).toEqual({ ids: [1, 'b'], isBatch: true });
  });

  it.each([
    ['nothing', ''],
    ['no JSON', '{"id":7'],
    ['a notification', message()],
    ['a response', message(7, { result: {} })],
    ['no message', { id: 7 }],
  ])('are not found in %s', (_what, body) => expect(idsIn(body)).toBeUndefined());
});

describe('the transport of a path', () => {
  it.each([
    ['mcp', 'mcp'],
    ['servers/a/mcp', 'mcp'],
    ['toolsets/a/mcp', 'mcp'],
    ['servers/a/messages', 'messages'],
    ['sse', 'sse'],
    ['servers/a/tools/mcp', undefined],
    ['servers/mcp', undefined],
    ['agents/a/mcp', undefined],
    ['v1/mcp', undefined],
    ['', undefined],
  ])('of %j is %s', (path, transport) => expect(transportAt(path.split('/').filter(Boolean))).toBe(transport));
});
