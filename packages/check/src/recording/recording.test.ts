import { describe, expect, test } from 'vitest';
import { TooLong } from '../connection/too-long.js';
import { exchangesOf } from './exchanges.js';
import { Recorder } from './recorder.js';
import { parseRecording } from './recording.js';
import { Replayer } from './replayer.js';
import { differences } from './semantic-difference.js';

const record = (write: (recorder: Recorder) => void, mask?: (text: string) => string): string => {
  let text = '';
  const recorder = new Recorder({
    label: 'node server.js',
    write: (piece) => void (text += piece),
    ...(mask === undefined ? {} : { mask }),
  });
  write(recorder);
  return text;
};

const call = (id: number, text: string) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'echo', arguments: { text }, _meta: { progressToken: id } },
});
const answer = (id: number, text: string) => ({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } });

const sample = record((recorder) => {
  recorder.record('client', { jsonrpc: '2.0', id: 0, method: 'initialize', params: { clientInfo: { name: 'a' } } });
  recorder.record('server', { jsonrpc: '2.0', id: 0, result: { protocolVersion: '2025-11-25' } });
  recorder.record('client', { jsonrpc: '2.0', method: 'notifications/initialized' });
  recorder.record('client', call(1, 'x'));
  recorder.record('client', call(2, 'y'));
  recorder.record('server', answer(2, 'second'));
  recorder.record('server', answer(1, 'first'));
  recorder.record('client', call(3, 'x'));
  recorder.record('server', answer(3, 'first again'));
});

describe('a recording', () => {
  test('is read back, also when its last line was cut off', () => {
    const { label, messages } = parseRecording(sample, 'x.jsonl');
    expect([label, messages.length]).toEqual(['node server.js', 9]);
    expect(parseRecording(sample.slice(0, -20), 'x.jsonl').messages).toHaveLength(8);
  });

  test.each([
    ['', 'its first line'],
    ['{"format":"other"}', 'its first line'],
    [sample.replace('"from":"server"', '"from":"nobody"'), 'a line is damaged'],
  ])('%# is refused', (text, why) => {
    expect(() => parseRecording(text, 'x.jsonl')).toThrow(why);
  });

  test('tells clients with the same ids apart', () => {
    const text = record((recorder) => {
      recorder.record('client', call(1, 'x'), 1);
      recorder.record('client', call(1, 'y'), 2);
      recorder.record('server', answer(1, 'to y'), 2);
      recorder.record('server', answer(1, 'to x'), 1);
    });
    const exchanges = exchangesOf(parseRecording(text, 'x.jsonl'));
    expect(exchanges.map(({ params, response }) => [params['arguments'], response])).toEqual([
      [{ text: 'x' }, answer(1, 'to x')],
      [{ text: 'y' }, answer(1, 'to y')],
    ]);
  });

  test('takes messages out of bytes that are cut anywhere, and leaves out what is none', () => {
    const text = record((recorder) => {
      const tap = recorder.tap('server');
      for (const byte of Buffer.from('log line\n{"jsonrpc":"2.0","id":1,"result":{"ä":1}}\n')) tap(Uint8Array.of(byte));
    });
    expect(parseRecording(text, 'x').messages.map(({ message }) => message)).toEqual([
      { jsonrpc: '2.0', id: 1, result: { ä: 1 } },
    ]);
  });

  test('holds no secrets: of the target, of a known form, under a telling name', () => {
    const text = record(
      (recorder) =>
        recorder.record('client', {
          params: {
            arguments: {
              password: 'hunter2',
              api_key: 'abc',
              note: 'use ghp_abcdefghijklmnopqrstuvwxyz0123456789 and t4rget-token',
              header: 'Bearer abcdefghijklmnopqrstuvwxyz',
            },
          },
        }),
      (message) => message.replaceAll('t4rget-token', '[secret]'),
    );
    for (const secret of ['hunter2', '"abc"', 'ghp_', 't4rget-token', 'abcdefghijklmnopqrstuvwxyz']) {
      expect(text).not.toContain(secret);
    }
  });

  test('holds nothing under a telling name, whatever its type, but schemas stay whole', () => {
    const inputSchema = { type: 'object', properties: { password: { type: 'string' }, token: { type: 'number' } } };
    const text = record((recorder) => {
      const values = {
        password: ['hunter2'],
        token: 123_456,
        db_password: { value: 'hunter3' },
        api_key: [[{ a: 'k3y' }]],
      };
      recorder.record('client', { params: { arguments: { ...values, secret: null }, progressToken: 7 } });
      recorder.record('server', { result: { tools: [{ name: 'login', inputSchema }] } });
    });
    for (const secret of ['hunter2', '123456', 'hunter3', 'k3y']) expect(text).not.toContain(secret);
    const [asked, listed] = parseRecording(text, 'x').messages;
    expect(asked?.message['params']).toMatchObject({
      arguments: { token: '[redacted]', secret: null },
      progressToken: 7,
    });
    expect(listed?.message['result']).toEqual({ tools: [{ name: 'login', inputSchema }] });
  });

  test('holds nothing under more telling names, nor under those in the text of a document', () => {
    const secret = 'hunter2';
    const values = { github_token: secret, sessionToken: secret, secret_key: secret, credentials: { user: secret } };
    const text = record((recorder) => {
      recorder.record('client', { params: { arguments: values } });
      const content = [{ type: 'text', text: JSON.stringify({ db_password: secret, idToken: secret, count: 2 }) }];
      recorder.record('server', { result: { content, nextPageToken: 'page-2' } });
    });
    expect(text).not.toContain(secret);
    expect(text).toContain('page-2');
    expect(text).toContain(String.raw`\"count\":2`);
  });

  test.each(['lines', 'events'] as const)('gives up %s that do not end', (kind) => {
    let cut: Error | undefined;
    const text = record((recorder) => {
      const tap = kind === 'lines' ? recorder.tap('server') : recorder.tapEvents();
      const [before, after] = kind === 'lines' ? ['', '\n'] : ['data: ', '\n\n'];
      tap(Buffer.from(`${before}{"id":1}${after}`));
      for (let pushed = 0; pushed < 18; pushed += 1) tap(Buffer.alloc(1024 * 1024, 'x'));
      tap(Buffer.from(`${after}${before}{"id":2}${after}`));
      ({ cut } = recorder);
    });
    expect(parseRecording(text, 'x').messages).toHaveLength(1);
    expect(cut).toBeInstanceOf(TooLong);
  });

  test('pairs requests with their answers by id', () => {
    const pairs = exchangesOf(parseRecording(sample, 'x'));
    expect(pairs.map(({ method, response }) => [method, (response?.['id'] as number | undefined) ?? null])).toEqual([
      ['initialize', 0],
      ['tools/call', 1],
      ['tools/call', 2],
      ['tools/call', 3],
    ]);
  });
});

describe('a replayed server', () => {
  test('answers by what is asked, in the recorded order, with the id of the request', () => {
    const replayer = new Replayer(parseRecording(sample, 'x'));
    const said = (id: number, text: string) => replayer.answer(call(id, text));
    expect(said(10, 'y')).toEqual(answer(10, 'second'));
    expect(said(11, 'x')).toEqual(answer(11, 'first'));
    expect(said(12, 'x')).toEqual(answer(12, 'first again'));
    expect(said(13, 'x')).toEqual(answer(13, 'first again'));
    expect(replayer.answer({ id: 'i', method: 'initialize', params: { clientInfo: { name: 'other' } } })).toMatchObject(
      {
        id: 'i',
        result: { protocolVersion: '2025-11-25' },
      },
    );
    expect(replayer.answer({ method: 'notifications/initialized' })).toBeUndefined();
    expect(replayer.missed).toEqual([]);
  });

  test('says what is not in the recording', () => {
    const replayer = new Replayer(parseRecording(sample, 'x'));
    expect(replayer.answer(call(1, 'z'))).toMatchObject({ id: 1, error: { code: -32_603 } });
    expect(replayer.answer({ id: 2, method: 'ping' })).toEqual({ jsonrpc: '2.0', id: 2, result: {} });
    expect(replayer.missed).toEqual(['tools/call']);
  });
});

describe('a semantic difference', () => {
  const one = '6f1c2f6e-0000-4000-8000-000000000001';
  const two = '6f1c2f6e-0000-4000-8000-000000000002';

  test.each([
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    [{ id: one }, { id: two }],
    [{ text: `made ${one} at 2026-01-02T03:04:05Z` }, { text: `made ${two} at 2026-11-18T01:02:03.456Z` }],
    [
      { createdAt: 1_700_000_000_000, took_ms: 5 },
      { createdAt: 1_800_000_000_000, took_ms: 9 },
    ],
    [{ tools: [{ name: 'a' }, { name: 'b' }] }, { tools: [{ name: 'b' }, { name: 'a' }] }],
    [{ _meta: { x: 1 }, nextCursor: 'q' }, { nextCursor: 'r' }],
    [{ text: '{"n":1,"id":"' + one + '"}' }, { text: '{"id":"' + two + '","n":1}' }],
  ])('%j and %j mean the same', (before, after) => {
    expect(differences(before, after)).toEqual([]);
  });

  test.each([
    [{ a: 1 }, { a: 2 }, 'a'],
    [{ a: { b: [1, 2] } }, { a: { b: [2, 1] } }, 'a.b[0]'],
    [{ a: [1] }, { a: [1, 2] }, 'a'],
    [
      { tools: [{ name: 'a', description: 'x' }] },
      { tools: [{ name: 'a', description: 'y' }] },
      'tools[a].description',
    ],
    [{ tools: [{ name: 'a' }] }, { tools: [] }, 'tools[a]'],
    [{ text: '{"n":1}' }, { text: '{"n":2}' }, 'text.n'],
    [{ id: one }, { id: 'plain' }, 'id'],
    [{ a: 1 }, {}, 'a'],
    [{ count: 5 }, { count: 6 }, 'count'],
  ])('%j and %j differ', (before, after, path) => {
    expect(differences(before, after)[0]?.path).toBe(path);
  });

  test('may be ignored by its path, and is bounded', () => {
    expect(differences({ a: { b: 1, c: 2 } }, { a: { b: 2, c: 3 } }, { ignore: ['a.*'] })).toEqual([]);
    expect(differences({ 'a(': 1 }, { 'a(': 2 }, { ignore: ['a('] })).toEqual([]);
    const many = (value: number) => Array.from({ length: 100 }, () => value);
    expect(differences(many(1), many(2))).toHaveLength(20);
  });

  test('tells which ids were given anew', () => {
    const ids: string[][] = [];
    differences({ id: one }, { id: two }, { onId: (...pair) => void ids.push(pair) });
    expect(ids).toEqual([[one, two]]);
  });
});
