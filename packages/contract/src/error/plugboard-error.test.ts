import { describe, expect, it } from 'vitest';
import { errorEnvelope, toErrorEnvelope } from './error-envelope.js';
import { PlugboardError, toPlugboardError } from './plugboard-error.js';

describe('PlugboardError', () => {
  it('shows code, sentence and hint, and keeps its cause to itself', () => {
    const error = new PlugboardError('UPSTREAM_REFUSED', 'Nobody listens there.', {
      hint: 'Start the server.',
      retryAfterMs: 10,
      details: { port: 1 },
      cause: new Error('connect ECONNREFUSED /secret/path'),
    });
    expect(error.httpStatus).toBe(502);
    expect(error.temporary).toBe(true);
    const envelope = toErrorEnvelope(error);
    expect(errorEnvelope.parse(JSON.parse(JSON.stringify(envelope)))).toEqual({
      error: {
        code: 'UPSTREAM_REFUSED',
        message: 'Nobody listens there.',
        hint: 'Start the server.',
        details: { port: 1 },
        retry_after_ms: 10,
      },
      detail: 'Nobody listens there.',
    });
    expect(JSON.stringify(error)).not.toContain('secret');
  });

  it('turns anything thrown into a coded error without its text', () => {
    const error = toPlugboardError(new Error('password=hunter2'));
    expect(error.code).toBe('INTERNAL');
    expect(JSON.stringify(error)).not.toContain('hunter2');
    expect(toPlugboardError(error)).toBe(error);
  });
});
