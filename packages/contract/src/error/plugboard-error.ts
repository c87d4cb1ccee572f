import type { ErrorDescription } from './error-envelope.js';
import { type Hint, hintText, tellHint } from './hint.js';
import { ERROR_CODES, type ErrorCode } from './error-code.js';

export interface PlugboardErrorOptions {
  /** What the reader can do about it. */
  readonly hint?: Hint | undefined;
  /** Facts for a program: never a secret, a stack or a path of this machine. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/** The one error that crosses package borders: a code from the table, a sentence, and what to do. */
export class PlugboardError extends Error {
  override readonly name: string = 'PlugboardError';
  readonly code: ErrorCode;
  readonly advice: Hint | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(code: ErrorCode, message: string, options: PlugboardErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.advice = options.hint;
    this.details = options.details;
    this.retryAfterMs = options.retryAfterMs;
  }

  /** What a program can do about it. */
  get hint(): string | undefined {
    return this.advice === undefined ? undefined : hintText(this.advice, 'api');
  }

  get httpStatus(): number {
    return ERROR_CODES[this.code].http;
  }

  get temporary(): boolean {
    return ERROR_CODES[this.code].temporary;
  }

  /** The public form; the cause stays inside. */
  toJSON(): ErrorDescription {
    return {
      code: this.code,
      message: this.message,
      ...(this.advice === undefined ? {} : tellHint(this.advice)),
      ...(this.details === undefined ? {} : { details: this.details }),
      ...(this.retryAfterMs === undefined ? {} : { retry_after_ms: this.retryAfterMs }),
    };
  }
}

/** Anything thrown, as a PlugboardError; what is unknown becomes INTERNAL without its text. */
export const toPlugboardError = (thrown: unknown): PlugboardError =>
  thrown instanceof PlugboardError
    ? thrown
    : new PlugboardError('INTERNAL', 'Something went wrong inside Plugboard.', {
        hint: 'The log of the hub has the cause; please report it if it happens again.',
        cause: thrown,
      });
