import { buildFailure, isJsonObject, type RequestId, RPC_CODE } from '@plugboard/wire';

/**
 * What the hub answered, as the client of a pipe can tell whose answer it is. A refusal of the hub may be no message of
 * the protocol, or name no request; over HTTP that did not matter.
 */
export const answerTo = (id: RequestId, text: string): string => {
  const value: unknown = JSON.parse(text);
  if (!isJsonObject(value)) return text;
  if (value['jsonrpc'] !== undefined) return value['id'] === null ? JSON.stringify({ ...value, id }) : text;
  const told = isJsonObject(value['error']) ? value['error'] : {};
  const message = typeof told['message'] === 'string' ? told['message'] : 'The hub refused the request.';
  return JSON.stringify(buildFailure(id, { code: RPC_CODE.internalError, message, data: told }));
};
