import { buildFailure, isJsonObject, type RequestId, RPC_CODE } from '@plugboard/wire';

export interface HubMessage {
  readonly text: string;
  /** It is the answer; else something that came before it. */
  readonly isLast: boolean;
}

/**
 * What the hub said about a request, as the client of a pipe can tell whose answer it is. A refusal of the hub may be no
 * message of the protocol, or name no request; over HTTP that did not matter.
 */
export const messageAbout = (id: RequestId, text: string): HubMessage => {
  const value: unknown = JSON.parse(text);
  if (!isJsonObject(value)) return { text, isLast: true };
  if (value['jsonrpc'] !== undefined) {
    return {
      text: value['id'] === null ? JSON.stringify({ ...value, id }) : text,
      isLast: value['method'] === undefined,
    };
  }
  const told = isJsonObject(value['error']) ? value['error'] : {};
  const message = typeof told['message'] === 'string' ? told['message'] : 'The hub refused the request.';
  const failure = buildFailure(id, { code: RPC_CODE.internalError, message, data: told });
  return { text: JSON.stringify(failure), isLast: true };
};
