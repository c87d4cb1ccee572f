import { isObject, type JsonObject, type MessageId } from '../connection/json.js';
import { META } from './meta.js';
import type { RequestOptions, SessionOptions } from './session.js';

export const CLIENT_INFO: JsonObject = { name: 'plugboard-check', version: '1.0.0' };

const withoutUndefined = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));

/** The params with the metadata that the era demands. */
export const enveloped = (
  params: JsonObject | undefined,
  session: SessionOptions & { readonly revision: string },
  options: RequestOptions,
): JsonObject | undefined => {
  if (options.bare === true) return params;
  const own = isObject(params?.['_meta']) ? params['_meta'] : {};
  const standard =
    session.era === 'modern'
      ? {
          [META.protocolVersion]: session.revision,
          [META.clientInfo]: session.clientInfo ?? CLIENT_INFO,
          [META.clientCapabilities]: session.capabilities ?? {},
        }
      : {};
  const meta = withoutUndefined({ ...standard, ...own, ...options.meta });
  return Object.keys(meta).length === 0 ? params : { ...params, _meta: meta };
};

export type RequestMessage = JsonObject & { readonly id: MessageId };

export const requestMessage = (id: MessageId, method: string, params: JsonObject | undefined): RequestMessage => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params === undefined ? {} : { params }),
});

export const noticeMessage = (method: string, params: JsonObject | undefined): JsonObject => ({
  jsonrpc: '2.0',
  method,
  ...(params === undefined ? {} : { params }),
});

export const initializeParams = (session: SessionOptions & { readonly revision: string }): JsonObject => ({
  protocolVersion: session.revision,
  capabilities: session.capabilities ?? {},
  clientInfo: session.clientInfo ?? CLIENT_INFO,
});

/** A response, however badly formed: it has an outcome, and says which request it answers or that it is JSON-RPC. */
export const isResponse = (message: JsonObject): boolean =>
  !('method' in message) && (message['jsonrpc'] !== undefined || ('id' in message && !isLogLine(message)));

/** Log lines in JSON come over stdout, too; STD-01 judges them. They are no messages. */
const isLogLine = (message: JsonObject): boolean =>
  !('result' in message) &&
  !isObject(message['error']) &&
  ('level' in message || 'msg' in message || 'time' in message);

/** Whether a line is meant as a message of the protocol. */
export const isMessage = (message: JsonObject): boolean => 'method' in message || isResponse(message);

export const isServerRequest = (message: JsonObject): boolean => 'method' in message && 'id' in message;

/** Answers this id, if need be under another type: that is for a check to judge, not a reason to wait forever. */
export const answers = (message: JsonObject, id: MessageId): boolean =>
  isResponse(message) && (message['id'] === id || String(message['id']) === String(id));
