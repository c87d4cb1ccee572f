import { describe, expect, it } from 'vitest';
import { errorFrom, toApiError } from './api-error.js';

describe('an error of the API', () => {
  it('has the words of the hub', () => {
    const body = JSON.stringify({ error: { code: 'CONFLICT', message: 'Taken.', hint: 'Choose another.' } });
    expect(errorFrom(409, body)).toMatchObject({
      status: 409,
      code: 'CONFLICT',
      message: 'Taken.',
      hint: 'Choose another.',
    });
  });

  it.each(['', '<html>', 'null', '{"error":3}', '{"error":{"message":1}}'])(
    'is readable when the answer is %j',
    (body) => {
      expect(errorFrom(502, body)).toMatchObject({ code: 'UNEXPECTED_ANSWER', status: 502 });
    },
  );

  it('says that the hub is away when there was no answer', () => {
    expect(toApiError(new TypeError('fetch failed'))).toMatchObject({ status: 0, code: 'HUB_UNREACHABLE' });
    const known = errorFrom(404, '');
    expect(toApiError(known)).toBe(known);
  });
});
