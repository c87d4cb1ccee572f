import type { Outcome } from '../behaviour/answer.js';
import type { Fault } from '../fault/fault.js';
import { failed, succeeded, type JsonRpcRequest } from '../json-rpc/message.js';

/** The JSON-RPC answer that the script prescribes, if it does. */
export const scriptedOutcome = (request: JsonRpcRequest, { error, result }: Fault): Outcome | undefined => {
  if (error !== undefined) return { response: failed(request.id, error), httpStatus: 200 };
  return result === undefined ? undefined : { response: succeeded(request.id, result), httpStatus: 200 };
};
