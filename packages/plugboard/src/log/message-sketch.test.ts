import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sketchMessage } from './message-sketch.js';

const rpc = (members: object): string => JSON.stringify({ jsonrpc: '2.0', ...members });

describe('the sketch of a message', () => {
  it.each([
    [
      rpc({ id: 7, method: 'tools/call', params: { name: 'read', arguments: { path: 'secret.txt', depth: 2 } } }),
      { kind: 'request', id: 7, method: 'tools/call', params: { name: 'read', arguments: { depth: 'number' } } },
    ],
    [
      rpc({ method: 'notifications/progress', params: { progress: 1, total: 2, message: 'secret' } }),
      { kind: 'notification', params: { progress: 1, total: 2, message: 'text of 6 characters' } },
    ],
    [
      rpc({ id: 'a', method: 'resources/read', params: { uri: 'https://me:secret@files.example/?token=secret' } }),
      { kind: 'request', id: 'a', params: { uri: 'https://••••@files.example/?token=••••' } },
    ],
    [
      rpc({ id: 1, error: { code: -32000, message: 'secret', data: { code: 'UPSTREAM_TIMEOUT', x: 'secret' } } }),
      { kind: 'error', error: { code: -32000, reason: 'UPSTREAM_TIMEOUT', message: 'text of 6 characters' } },
    ],
    [
      rpc({
        id: 1,
        result: { isError: true, content: [{ text: 'secret' }], _meta: { 'io.modelcontextprotocol/x': 1 } },
      }),
      { kind: 'result', result: { isError: true, content: 'array of 1', _meta: 'x' } },
    ],
    ['[{"secret":1}]', { kind: 'batch', bytes: 14 }],
    ['{"secret', { kind: 'unreadable', bytes: 8 }],
  ])('%#: shows what it is about and no value', (text, sketch) => {
    const found = sketchMessage(text);
    expect(found).toMatchObject(sketch);
    expect(JSON.stringify(found)).not.toContain('secret');
  });

  it('never throws, and stays small whatever comes', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(JSON.stringify(sketchMessage(text)).length).toBeLessThan(40_000);
      }),
    );
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`member${index}`, 'x'.repeat(1000)]));
    expect(JSON.stringify(sketchMessage(rpc({ id: 1, method: 'm', params: many }))).length).toBeLessThan(2000);
  });
});
