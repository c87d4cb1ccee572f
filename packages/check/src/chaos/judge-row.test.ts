import { describe, expect, test } from 'vitest';
import { judgeRow } from './judge-row.js';
import type { RowObservation } from './observe-row.js';

const answered = { kind: 'answered', text: 'canary-1.' } as const;
const failed = { kind: 'failed', why: 'HTTP 503.' } as const;
const SEEN: RowObservation = {
  before: answered,
  struck: true,
  fate: failed,
  recoveredMs: 40,
  lastFailure: undefined,
  relapses: [],
  wrong: [],
  deliveries: 1,
  othersDelivered: 1,
};
const OPTIONS = { budgetMs: 5_000, mayRunTwice: false, isServer: false };
const judge = (seen: Partial<RowObservation>, row: object = {}, options: object = {}) =>
  judgeRow(row, { ...SEEN, ...seen }, { ...OPTIONS, ...options });

describe('a row', () => {
  test('passes when the next call succeeds', () => {
    expect(judge({})).toEqual({
      verdict: 'pass',
      detail: 'The affected call failed (HTTP 503); the next one succeeded after 40 ms.',
    });
    expect(judge({ fate: undefined, recoveredMs: 1_500 }).detail).toContain(
      'is still waiting; the next one succeeded after 1.5 s',
    );
  });

  test.each([
    ['nothing recovers', { recoveredMs: undefined, lastFailure: 'Not connected.' }, 'No call succeeded within 5.0 s'],
    ['the struck call ran twice', { deliveries: 2 }, 'was sent 2 times'],
    ['a later call ran twice', { othersDelivered: 3 }, 'was sent 3 times'],
    ['a caller got a foreign answer', { wrong: ['canary-2.'] }, 'the answer of another call'],
    ['calls fail again', { relapses: ['closed'] }, 'failed again after the recovery: closed'],
  ])('fails when %s', (_name, seen, words) => {
    expect(judge(seen)).toMatchObject({ verdict: 'fail', detail: expect.stringContaining(words) as unknown });
  });

  test('allows a second run of a tool that says it may', () => {
    expect(judge({ deliveries: 2 }, {}, { mayRunTwice: true }).verdict).toBe('pass');
  });

  test('fails when a harmless fault breaks the call, except for servers', () => {
    expect(judge({}, { isHarmless: true }).verdict).toBe('fail');
    expect(judge({ fate: answered }, { isHarmless: true }).verdict).toBe('pass');
    expect(judge({}, { isHarmless: true }, { isServer: true }).verdict).toBe('pass');
  });

  test('fails when a forged answer is accepted, not when the call was sent again', () => {
    expect(judge({ fate: answered }, { isForged: true }).detail).toContain('never sent');
    expect(judge({ fate: answered, deliveries: 2 }, { isForged: true }, { mayRunTwice: true }).verdict).toBe('pass');
  });

  test('is not judged when the tool fails anyway, or the fault finds nothing', () => {
    expect(judge({ before: failed })).toMatchObject({ verdict: 'not-verified', supply: expect.any(String) as unknown });
    expect(judge({ struck: false }).verdict).toBe('not-applicable');
  });
});
