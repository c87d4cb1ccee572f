import { nativeSignal } from '@plugboard/base';
import { isJsonObject, type JsonObject } from '@plugboard/wire';
import { McpProtocolError } from '../error/error-family.js';
import type { ServerRequests } from '../session/server-requests.js';

const MAX_INPUT_ROUNDS = 10;
const MAX_QUESTIONS = 256;

export const isInputRequired = (result: unknown): result is JsonObject =>
  isJsonObject(result) && result['resultType'] === 'input_required';

const gather = async (
  requests: ServerRequests,
  inputRequests: JsonObject,
  signal: AbortSignal,
): Promise<Record<string, unknown>> => {
  const questions = Object.entries(inputRequests);
  if (questions.length > MAX_QUESTIONS) {
    throw new McpProtocolError(
      'UPSTREAM_PROTOCOL',
      `The server asked for more than ${MAX_QUESTIONS} inputs at a time.`,
      {
        delivery: 'answered',
      },
    );
  }
  const answers = await Promise.all(
    questions.map(async ([key, asked]): Promise<[string, unknown]> => {
      const method = isJsonObject(asked) ? asked['method'] : undefined;
      const handler = typeof method === 'string' ? requests.find(method) : undefined;
      if (!isJsonObject(asked) || typeof method !== 'string' || handler === undefined) {
        throw new McpProtocolError('UPSTREAM_PROTOCOL', 'The server asks for input that this client does not offer.', {
          hint: 'Register a handler for the method with onRequest, or set allowInputRequired.',
          delivery: 'answered',
          details: { method: typeof method === 'string' ? method.slice(0, 100) : null },
        });
      }
      return [key, await handler({ method, params: asked['params'], signal: nativeSignal(signal) })];
    }),
  );
  return Object.fromEntries(answers);
};

export interface InputRounds {
  readonly params: unknown;
  readonly requests: ServerRequests;
  readonly signal: AbortSignal;
  /** Sends the request once, with a new id. */
  readonly send: (params: unknown) => Promise<unknown>;
}

/** Sends a request again with the input that the server asked for, until it needs no more. */
export const fulfilInput = async ({ params, requests, signal, send }: InputRounds): Promise<unknown> => {
  let result = await send(params);
  for (let round = 1; isInputRequired(result); round += 1) {
    if (round > MAX_INPUT_ROUNDS) {
      throw new McpProtocolError('UPSTREAM_PROTOCOL', `The server asked for input ${MAX_INPUT_ROUNDS} times.`, {
        delivery: 'answered',
      });
    }
    const { inputRequests, requestState } = result;
    const original = isJsonObject(params) ? params : {};
    result = await send({
      ...original,
      ...(isJsonObject(inputRequests) ? { inputResponses: await gather(requests, inputRequests, signal) } : {}),
      ...(typeof requestState === 'string' ? { requestState } : {}),
    });
  }
  return result;
};
