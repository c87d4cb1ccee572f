import { isLogLevel } from '../definition/log-level.js';
import { isModernRevision } from '../definition/era.js';
import { META } from '../json-rpc/meta-key.js';
import { isObject, type JsonObject, type JsonRpcMessage, type JsonRpcRequest } from '../json-rpc/message.js';
import { INVALID_PARAMS, RpcError, UNSUPPORTED_VERSION } from '../json-rpc/rpc-error.js';

export const requestMeta = (message: JsonRpcMessage): JsonObject => {
  const params = 'method' in message ? message.params : undefined;
  return isObject(params?.['_meta']) ? params['_meta'] : {};
};

/** Does this message claim to be of the modern era, by its envelope, its header or its method? */
export const claimsModern = (message: JsonRpcMessage, versionHeader: string | undefined): boolean => {
  if ('method' in message && message.method === 'server/discover') return true;
  const version = requestMeta(message)[META.protocolVersion];
  if (typeof version === 'string') return true;
  return versionHeader !== undefined && isModernRevision(versionHeader);
};

export const unsupportedVersion = (supported: readonly string[], requested: unknown): RpcError =>
  new RpcError(UNSUPPORTED_VERSION, `Unsupported protocol version; supported: ${supported.join(', ')}`, {
    data: { supported, requested },
    httpStatus: 400,
  });

const invalid = (message: string): never => {
  throw new RpcError(INVALID_PARAMS, message, { httpStatus: 400 });
};

/** The per-request metadata that the modern era demands. */
export const checkEnvelope = (request: JsonRpcRequest, revisions: readonly string[]): void => {
  const meta = requestMeta(request);
  const version = meta[META.protocolVersion];
  if (request.method === 'initialize' && version === undefined) {
    throw unsupportedVersion(revisions, request.params?.['protocolVersion']);
  }
  if (typeof version !== 'string') invalid(`_meta["${META.protocolVersion}"] is required`);
  if (!revisions.some((revision) => revision === version && isModernRevision(revision))) {
    throw unsupportedVersion(revisions, version);
  }
  if (!isObject(meta[META.clientCapabilities])) invalid(`_meta["${META.clientCapabilities}"] is required`);
  if (META.logLevel in meta && !isLogLevel(meta[META.logLevel])) invalid('Invalid log level');
};
