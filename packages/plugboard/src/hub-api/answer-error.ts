import {
  ERROR_CODES,
  errorCodes,
  errorEnvelope,
  hearHint,
  type ErrorCode,
  isErrorCode,
  PlugboardError,
} from '@plugboard/contract';
import { z } from 'zod';

const codeOfStatus = (status: number): ErrorCode => {
  if (status === 401) return 'UNAUTHENTICATED';
  if (status === 403) return 'PERMISSION_DENIED';
  if (status === 404) return 'NOT_FOUND';
  return status >= 500 ? 'INTERNAL' : 'INVALID_REQUEST';
};

const rpcError = z.looseObject({
  code: z.number(),
  message: z.string(),
  data: z
    .looseObject({
      code: z.string().optional(),
      hint: z.string().optional(),
      cli_hint: z.string().optional(),
      details: z.record(z.string(), z.unknown()).optional(),
    })
    .optional()
    .catch(undefined),
});

const codeOfRpc = (code: number): ErrorCode =>
  errorCodes.find((known) => ERROR_CODES[known].jsonRpc === code) ?? 'UPSTREAM_PROTOCOL';

/** A JSON-RPC error as an error of ours. */
export const rpcAnswerError = (error: unknown): PlugboardError => {
  const parsed = rpcError.safeParse(error);
  if (!parsed.success) {
    return new PlugboardError('UPSTREAM_PROTOCOL', 'The server answered with an error in an unknown format.');
  }
  const { code, message, data } = parsed.data;
  const named = data?.code;
  return new PlugboardError(isErrorCode(named) ? named : codeOfRpc(code), message, {
    hint: data && hearHint(data),
    details: data?.details,
  });
};

const rpcFailure = z.looseObject({ jsonrpc: z.literal('2.0'), error: rpcError });

/** A refusal of the hub as an error of ours, with its own sentence when it sent one. */
export const answerError = (status: number, body: unknown): PlugboardError => {
  const parsed = errorEnvelope.safeParse(body);
  if (parsed.success) {
    const { code, message, details, retry_after_ms: retryAfterMs } = parsed.data.error;
    return new PlugboardError(code, message, { hint: hearHint(parsed.data.error), details, retryAfterMs });
  }
  const message = rpcFailure.safeParse(body);
  if (message.success) return rpcAnswerError(message.data.error);
  return new PlugboardError(codeOfStatus(status), `The hub answered with HTTP ${status} and no explanation.`, {
    hint: 'Check that the URL is that of a Plugboard hub of the same version.',
  });
};
