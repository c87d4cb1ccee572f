import { isModernOnlyCode, RPC_CODE, type JsonRpcErrorBody, type JsonRpcFailure } from '@plugboard/wire';
import { McpSessionError } from '../../error/error-family.js';

const SESSION_TEXT = /\bsession|not (?:yet )?initiali[sz]ed/iu;
const SESSION_CODES: ReadonlySet<number> = new Set([RPC_CODE.serverError, RPC_CODE.sessionNotFound, 32600, -32600]);

/** The generic codes mean a lost session only when the text mentions one. */
export const speaksOfSession = (error: JsonRpcErrorBody): boolean =>
  SESSION_CODES.has(error.code) && SESSION_TEXT.test(error.message);

/** Whether an HTTP error means that the server no longer knows the session. */
export const isSessionLoss = (status: number, failure: JsonRpcFailure | undefined, established: boolean): boolean => {
  if (!established) return false;
  if (failure === undefined) return status === 404;
  const { code } = failure.error;
  // A modern server says 404 for an unknown method; everybody else says it for an unknown session.
  return (
    speaksOfSession(failure.error) || (status === 404 && code !== RPC_CODE.methodNotFound && !isModernOnlyCode(code))
  );
};

export const sessionLostError = (detail: string, cause?: unknown): McpSessionError =>
  new McpSessionError('SESSION_LOST', `The server no longer knows the session: ${detail}.`, {
    hint: 'The server was restarted or dropped the session. The next call opens a new one.',
    delivery: 'not-executed',
    cause,
  });
