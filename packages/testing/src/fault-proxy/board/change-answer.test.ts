import { describe, expect, test } from 'vitest';
import { answerIdOf, changeAnswer, isAnswer, requestIdOf, WRONG_ID } from './change-answer.js';

const ANSWER = '{"jsonrpc":"2.0","id":4,"result":{}}';

describe('an answer', () => {
  test('is told from requests, notifications and noise', () => {
    expect([ANSWER, '{"id":1,"method":"ping"}', '{"method":"x"}', 'noise', '[]'].map(isAnswer)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
    expect(answerIdOf(ANSWER)).toBe(4);
    expect(requestIdOf(ANSWER)).toBeUndefined();
    expect(requestIdOf('{"id":"a","method":"ping"}')).toBe('a');
  });

  test('gets another id, comes twice, or comes late', () => {
    expect(changeAnswer(ANSWER, { kind: 'wrong-id' }).texts.map(answerIdOf)).toEqual([WRONG_ID]);
    expect(changeAnswer(ANSWER, { kind: 'duplicate-response' }).texts).toEqual([ANSWER, ANSWER]);
    expect(changeAnswer(ANSWER, { kind: 'late-response', ms: 30 })).toEqual({ texts: [ANSWER], waitMs: 30 });
    expect(changeAnswer(ANSWER, { kind: 'reset' })).toEqual({ texts: [ANSWER], waitMs: 0 });
  });
});
