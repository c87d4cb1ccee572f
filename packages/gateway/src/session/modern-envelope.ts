import {
  decodeHeaderValue,
  findRevision,
  type JsonObject,
  type JsonRpcRequest,
  isJsonObject,
  readModernMeta,
  META_KEY,
} from '@plugboard/wire';
import { MODERN_VERSIONS } from '../offer/greeting/greeting.js';
import { isLogLevel } from '../rpc/log-level.js';
import type { Caller } from '../call/caller.js';
import type { ClientFacts } from '../call/mcp-call.js';
import { headerMismatch, invalidEnvelope, invalidParams, unsupportedVersion } from '../rpc/rpc-refusal.js';
import { type HeaderFields, headerText } from './era-of.js';
import { checkIntroduction } from './read-initialize.js';

export interface ModernEnvelope {
  readonly client: ClientFacts;
  readonly params: JsonObject;
  readonly logLevel: string | undefined;
}

const NAME_SOURCES: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

const checkVersionHeader = (headers: HeaderFields, version: string): void => {
  const header = headerText(headers, 'mcp-protocol-version');
  if (header === undefined) throw headerMismatch('MCP-Protocol-Version is missing.');
  if (header !== version) throw headerMismatch('MCP-Protocol-Version differs from the version in _meta.');
};

const checkMirrored = (headers: HeaderFields, name: string, expected: unknown): void => {
  const header = headerText(headers, name.toLowerCase());
  if (header === undefined) throw headerMismatch(`${name} is missing.`);
  if (decodeHeaderValue(header) !== expected) throw headerMismatch(`${name} differs from the body.`);
};

/** What the HTTP fields say must be what the body says. */
const checkHeaders = (headers: HeaderFields, { method }: JsonRpcRequest, params: JsonObject): void => {
  checkMirrored(headers, 'Mcp-Method', method);
  const source = NAME_SOURCES.get(method);
  const name = source === undefined ? undefined : params[source];
  if (typeof name === 'string') checkMirrored(headers, 'Mcp-Name', name);
};

/** Reads what every modern request carries. `headers` is undefined where there are none, as on stdio. */
export const readModernEnvelope = (
  request: JsonRpcRequest,
  caller: Caller,
  headers: HeaderFields | undefined,
): ModernEnvelope => {
  const { params } = request;
  const meta = readModernMeta(params);
  if (!isJsonObject(params) || meta?.protocolVersion === undefined) {
    throw invalidEnvelope(`_meta must have "${META_KEY.protocolVersion}".`);
  }
  if (headers !== undefined) checkVersionHeader(headers, meta.protocolVersion);
  const revision = findRevision(meta.protocolVersion);
  if (revision === undefined || !MODERN_VERSIONS.includes(revision.id)) {
    throw unsupportedVersion(meta.protocolVersion, MODERN_VERSIONS);
  }
  if (meta.clientCapabilities === undefined) {
    throw invalidEnvelope(`_meta must have "${META_KEY.clientCapabilities}", an object.`);
  }
  checkIntroduction(meta.clientCapabilities, meta.clientInfo);
  if (headers !== undefined) checkHeaders(headers, request, params);
  if (meta.logLevel !== undefined && !isLogLevel(meta.logLevel)) {
    throw invalidParams(`"${META_KEY.logLevel}" must be one of the eight levels of the protocol.`);
  }
  return {
    client: { revision, capabilities: meta.clientCapabilities, clientInfo: meta.clientInfo, caller },
    params,
    logLevel: meta.logLevel,
  };
};
