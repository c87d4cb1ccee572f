import { revisionOf } from '@plugboard/wire';
import { describe, expect, it } from 'vitest';
import { questionOf, toLegacyQuestion, toModernQuestion } from './question.js';

const form = { method: 'elicitation/create', params: { mode: 'form', message: 'm' } };
const url = { method: 'elicitation/create', params: { mode: 'url', url: 'https://a.example' } };

describe('questions across eras', () => {
  it('to a legacy client: modes only where the revision knows them, an id for pages', () => {
    expect(toLegacyQuestion(form, revisionOf('2025-11-25'))).toEqual(form);
    expect(toLegacyQuestion(form, revisionOf('2025-06-18')).params).toEqual({ message: 'm' });
    expect(toLegacyQuestion(url, revisionOf('2025-11-25')).params).toEqual({
      ...url.params,
      elicitationId: expect.any(String),
    });
    expect(
      toLegacyQuestion({ method: 'roots/list', params: undefined }, revisionOf('2025-11-25')).params,
    ).toBeUndefined();
  });

  it('to a modern client: always with a mode, without ids and hints of the other era', () => {
    const asked = {
      method: 'elicitation/create',
      params: { message: 'm', _meta: { a: 1 }, task: {}, elicitationId: 'e' },
    };
    expect(toModernQuestion(asked).params).toEqual({ mode: 'form', message: 'm' });
    expect(toModernQuestion({ method: 'roots/list', params: undefined })).toEqual({
      method: 'roots/list',
      params: undefined,
    });
  });

  it('are read from a result', () => {
    expect(questionOf({ method: 'roots/list' })).toEqual({ method: 'roots/list', params: undefined });
    expect([questionOf({}), questionOf(null)]).toEqual([undefined, undefined]);
  });
});
