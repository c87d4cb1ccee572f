import type { ErrorDescription } from '@plugboard/contract';
import { isJson } from './json.js';

/** A refusal of the hub, or no answer at all. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** 0 when there was no answer. */
  readonly status: number;
  readonly code: string;
  readonly hint: string | undefined;

  constructor(status: number, description: Pick<ErrorDescription, 'message' | 'hint'> & { readonly code: string }) {
    super(description.message);
    this.status = status;
    this.code = description.code;
    this.hint = description.hint;
  }
}

/** Reads the body of a refusal; something in between may have answered with anything. */
export const errorFrom = (status: number, body: string): ApiError => {
  try {
    const { error } = JSON.parse(body) as { readonly error?: unknown };
    if (isJson(error) && typeof error['message'] === 'string') {
      const { hint } = error;
      return new ApiError(status, {
        code: String(error['code']),
        message: error['message'],
        ...(typeof hint === 'string' ? { hint } : {}),
      });
    }
  } catch {
    // Not an answer of the hub.
  }
  return new ApiError(status, { code: 'UNEXPECTED_ANSWER', message: `The hub answered with status ${status}.` });
};

export const unreachable = (): ApiError =>
  new ApiError(0, {
    code: 'HUB_UNREACHABLE',
    message: 'The hub does not answer.',
    hint: 'Check that it is running. This page reconnects automatically.',
  });

export const toApiError = (thrown: unknown): ApiError => (thrown instanceof ApiError ? thrown : unreachable());
