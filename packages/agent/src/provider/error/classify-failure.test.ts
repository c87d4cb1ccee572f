import { expect, test } from 'vitest';
import { classifyFailure } from './classify-failure.js';
import { ModelError, type ModelFailure } from './model-error.js';

/** One row for each condition that providers are known to report: status, text, and what it means. */
const ROWS: readonly (readonly [status: number | undefined, text: string, failure: ModelFailure])[] = [
  // The text decides, whatever the status is.
  [400, 'prompt is too long: 200001 tokens > 200000 maximum', 'context-window'],
  [400, 'input length and `max_tokens` exceed context limit', 'context-window'],
  [400, 'This request exceeds context of the model', 'context-window'],
  [400, 'messages: total text bytes are above the limit', 'context-window'],
  [413, 'request_too_large', 'context-window'],
  [500, 'Request exceeds the maximum size', 'context-window'],
  [undefined, 'prompt is too long', 'context-window'],
  // Other words for the same.
  [400, 'context_length_exceeded', 'context-window'],
  [400, "This model's maximum context length is 8192 tokens", 'context-window'],
  [400, 'ValidationException Input is too long for requested model.', 'context-window'],
  [413, 'too large', 'context-window'],
  [429, 'Rate limit reached', 'rate-limit'],
  [429, 'Rate limit reached for your context window tier', 'rate-limit'],
  [400, "Unknown parameter: 'x'", 'bad-request'],
  [422, 'cannot be processed', 'bad-request'],
  [401, 'Incorrect API key', 'authentication'],
  [403, 'The security token is invalid. UnrecognizedClientException', 'authentication'],
  [403, 'You do not have access', 'permission'],
  [404, 'no such model', 'not-found'],
  [400, 'The provided model identifier is invalid.', 'not-found'],
  [402, 'Payment required', 'credits'],
  [429, 'You exceeded your current quota, please check your plan. insufficient_quota', 'credits'],
  [400, 'Your credit balance is too low', 'credits'],
  [400, 'Billing hard limit has been reached', 'credits'],
  [400, 'You can only afford 12 tokens', 'credits'],
  [400, 'Budget has been exceeded', 'credits'],
  [403, 'Insufficient credits', 'credits'],
  [408, 'Request timeout', 'timeout'],
  [504, 'Gateway timeout', 'timeout'],
  [529, 'overloaded_error', 'overloaded'],
  [503, 'Service Unavailable', 'overloaded'],
  [500, 'Overloaded', 'overloaded'],
  [500, 'upstream connect error or disconnect/reset before headers. reset reason: overflow', 'server'],
  [500, 'Internal error', 'server'],
  // Inside a stream there is no status.
  [undefined, 'context_length_exceeded', 'context-window'],
  [undefined, 'insufficient_quota', 'credits'],
  [undefined, 'invalid_request_error', 'bad-request'],
  [undefined, 'overloaded_error', 'overloaded'],
  [undefined, 'ThrottlingException Too many requests', 'rate-limit'],
  [undefined, 'something else', 'server'],
];

test.each(ROWS)('%s %s is %s', (status, text, failure) => {
  expect(classifyFailure({ status, text })).toBe(failure);
});

test.each<[ModelFailure, string, boolean]>([
  ['rate-limit', 'MODEL_RATE_LIMITED', true],
  ['context-window', 'MODEL_CONTEXT_EXCEEDED', false],
  ['authentication', 'MODEL_AUTH', false],
  ['permission', 'MODEL_AUTH', false],
  ['not-found', 'MODEL_NOT_FOUND', false],
  ['credits', 'MODEL_CREDITS', false],
  ['overloaded', 'MODEL_UNAVAILABLE', true],
  ['bad-request', 'MODEL_BAD_REQUEST', false],
  ['timeout', 'MODEL_TIMEOUT', true],
  ['connection', 'MODEL_UNREACHABLE', true],
  ['empty-response', 'MODEL_FAILED', false],
  ['unsupported', 'MODEL_BAD_REQUEST', false],
  ['server', 'MODEL_FAILED', true],
])('%s has the code %s, and may pass: %s', (failure, code, retryable) => {
  expect(new ModelError(failure, { provider: 'acme' })).toMatchObject({ failure, code, retryable, provider: 'acme' });
});
