import { repairResult } from '@plugboard/schema';
import type { JsonObject } from '@plugboard/wire';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CUT_META, cutResult } from '../pipeline/limit/size/cut-result.js';
import { type Settled, settleAnswer, type SettleOptions } from './settle-answer.js';

const MAX = 200_000;
const LEGACY: SettleOptions = { id: 7, era: 'legacy', maxBytes: MAX };

const settle = (message: unknown, options = LEGACY): Settled =>
  settleAnswer(Buffer.from(JSON.stringify(message)), options);
const answer = (result: unknown, id: unknown = 7): object => ({ jsonrpc: '2.0', id, result });

/** The result as a client reads it. */
const read = (settled: Settled): unknown => {
  if (settled.kind !== 'result') return settled;
  const bytes = Buffer.from(settled.bytes);
  return Object.fromEntries(
    settled.members.map((member) => [
      member.name,
      'value' in member ? member.value : (JSON.parse(bytes.toString('utf8', member.start, member.end)) as unknown),
    ]),
  );
};

const long = 'é"\\\n'.repeat(3000);

describe('settleAnswer', () => {
  it('passes on what can pass as it came, and tells small members', () => {
    const result = { content: [{ type: 'text', text: long }], isError: true, structuredContent: { a: 1 } };
    const settled = settle(answer(result));
    expect(read(settled)).toEqual(result);
    expect(settled).toMatchObject({
      members: [
        { name: 'content', start: expect.any(Number) as number },
        { name: 'isError', value: true },
        { name: 'structuredContent', value: { a: 1 } },
      ],
    });
  });

  it('repairs and cuts as the full path does', () => {
    const results = fc.oneof(
      fc.constant(long),
      fc.record(
        {
          content: fc.oneof(
            fc.constant(long),
            fc.array(
              fc.oneof(
                fc.record({ type: fc.constant('text'), text: fc.constant(long) }),
                fc.record({ type: fc.constant('image'), data: fc.constantFrom('aGk=', '?'), mimeType: fc.string() }),
                fc.record({ type: fc.constant('resource_link'), uri: fc.webUrl() }),
                fc.jsonValue({ maxDepth: 1 }),
              ),
            ),
          ),
          structuredContent: fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constant({ long }), fc.constant([long])),
          isError: fc.jsonValue({ maxDepth: 0 }),
          _meta: fc.jsonValue({ maxDepth: 2 }),
        },
        { requiredKeys: [] },
      ),
    );
    const eras = fc.constantFrom('legacy', 'modern');
    fc.assert(
      fc.property(results, eras, fc.constantFrom(2000, 20_000, MAX), (given, era, maxBytes) => {
        const result: unknown = JSON.parse(JSON.stringify(given));
        const repaired = repairResult(result, { era, method: 'tools/call', params: {} });
        const expected: unknown = JSON.parse(JSON.stringify(cutResult(repaired as JsonObject, maxBytes)));
        expect(read(settle(answer(result), { id: 7, era, maxBytes }))).toEqual(expected);
      }),
    );
  });

  it('cuts a text, and says so', () => {
    const cut = read(settle(answer({ content: [{ type: 'text', text: 'x'.repeat(300_000) }] }))) as JsonObject;
    expect(cut['_meta']).toMatchObject({ [CUT_META]: { limit: MAX } });
    expect(JSON.stringify(cut).length).toBeLessThan(MAX);
  });

  it('leaves addresses to those who may have to change them', () => {
    const content = [
      { type: 'text', text: long },
      { type: 'resource_link', uri: 'a:b', name: 'b' },
    ];
    expect(settle(answer({ content }))).toMatchObject({ members: [{ name: 'content', value: content }] });
  });

  it('tells of answers to others without their content', () => {
    expect(settle(answer({ content: [{ type: 'text', text: long }] }, 8))).toEqual({
      kind: 'messages',
      messages: [{ kind: 'result', message: answer({}, 8) }],
    });
  });

  it('hands out what is no final result as it is', () => {
    const task = { task: { taskId: 'a', note: long } };
    expect(settle(answer(task))).toMatchObject({ messages: [{ kind: 'result', message: { result: task } }] });
  });

  it('shortens errors', () => {
    const error = { code: 1, message: 'x'.repeat(100_000), data: 'y'.repeat(2_000_000) };
    expect(settle({ jsonrpc: '2.0', id: 7, error })).toEqual({
      kind: 'messages',
      messages: [
        { kind: 'failure', message: { jsonrpc: '2.0', id: 7, error: { code: 1, message: 'x'.repeat(65_536) } } },
      ],
    });
  });

  it('says what is wrong with what is no message', () => {
    expect(settleAnswer(Buffer.from('{'), LEGACY)).toEqual({
      kind: 'messages',
      messages: [{ kind: 'invalid', reason: 'the text is not JSON' }],
    });
  });
});
