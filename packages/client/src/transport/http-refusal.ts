import { parseMessages, type JsonRpcFailure } from '@plugboard/wire';
import { httpStatusError } from '../error/http-status-error.js';
import { isSessionLoss, sessionLostError } from '../session/loss/session-loss.js';
import type { Redact } from '../redact/redaction.js';
import { fieldOf, type HttpAnswer } from './http-channel.js';

export interface RefusalContext {
  readonly host: string;
  readonly redact: Redact;
  /** After the handshake a server may forget us; before it, a 404 is a wrong URL. */
  readonly established: boolean;
}

const failureIn = (text: string): JsonRpcFailure | undefined => {
  const [first] = parseMessages(text);
  return first?.kind === 'failure' ? first.message : undefined;
};

const ABOUT_ACCESS: ReadonlySet<number> = new Set([401, 403, 429]);

/** An answer with an error status: the JSON-RPC error in it, or an error that says what the status means. */
export const readRefusal = (answer: HttpAnswer, text: string, context: RefusalContext): JsonRpcFailure => {
  const failure = failureIn(text);
  if (isSessionLoss(answer.status, failure, context.established)) {
    const said = failure === undefined ? '' : ` and said "${context.redact(failure.error.message)}"`;
    throw sessionLostError(`${context.host} answered with HTTP status ${answer.status}${said}`);
  }
  if (failure === undefined || ABOUT_ACCESS.has(answer.status)) {
    throw httpStatusError({
      status: answer.status,
      host: context.host,
      retryAfter: fieldOf(answer.headers, 'retry-after'),
      challenge: fieldOf(answer.headers, 'www-authenticate'),
    });
  }
  return failure;
};
