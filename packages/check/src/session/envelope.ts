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

export const requestMessage = (id: MessageId, method: string, params: JsonObject | undefined): JsonObject => ({
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

export const isResponse = (message: JsonObject): boolean => !('method' in message);

export const isServerRequest = (message: JsonObject): boolean => 'method' in message && 'id' in message;

/** Answers this id, if need be under another type: that is for a check to judge, not a reason to wait for ever. */
export const answers = (message: JsonObject, id: MessageId): boolean =>
  isResponse(message) && (message['id'] === id || String(message['id']) === String(id));
