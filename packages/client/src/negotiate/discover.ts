import {
  buildRequest,
  chooseRevision,
  isJsonObject,
  isModernOnlyCode,
  LATEST_MODERN,
  readModernMeta,
  revisionOf,
  RPC_CODE,
  type JsonRpcErrorBody,
  type JsonRpcResponse,
  type Revision,
} from '@plugboard/wire';
import type { McpClientError } from '../error/client-error.js';
import { McpProtocolError } from '../error/error-family.js';
import { rpcError } from '../error/rpc-error.js';
import { toClientError } from '../error/to-client-error.js';
import type { Agreement } from './agreement.js';
import { looksLikeOtherEra } from './era-refusal.js';
import type { Handshake } from './handshake.js';

/** What the probe found. A legacy verdict keeps the refusal, in case the fallback fails as well. */
export type Probe =
  | { readonly era: 'modern'; readonly agreement: Agreement }
  | { readonly era: 'legacy'; readonly refusal?: McpClientError | undefined };

const ask = (handshake: Handshake, revision: Revision): Promise<JsonRpcResponse> => {
  const { transport, nextId, identity, signal, onIncoming } = handshake;
  const params = revision.encodeParams(undefined, {
    clientInfo: identity.clientInfo,
    clientCapabilities: identity.capabilities,
  });
  const message = buildRequest(nextId(), 'server/discover', params);
  return transport.request(message, { signal, onIncoming, headers: revision.httpHeaders(message) });
};

const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];

const noCommonVersion = (host: string, offered: readonly string[]): McpClientError =>
  new McpProtocolError('UPSTREAM_PROTOCOL', `${host} supports no known protocol version.`, {
    hint: 'Update the server or this client.',
    details: { supported: offered.slice(0, 20).map((name) => name.slice(0, 40)) },
  });

/** The era that a list of versions allows. */
const choose = (offered: readonly string[], host: string): Revision | undefined => {
  const modern = chooseRevision(offered, 'modern');
  if (modern === undefined && chooseRevision(offered, 'legacy') === undefined) throw noCommonVersion(host, offered);
  return modern;
};

const readResult = (result: unknown, host: string): Probe => {
  const offered = isJsonObject(result) ? textsIn(result['supportedVersions']) : [];
  if (!isJsonObject(result) || offered.length === 0) {
    // Some servers answer anything with something.
    return { era: 'legacy' };
  }
  const revision = choose(offered, host);
  return revision === undefined
    ? { era: 'legacy' }
    : {
        era: 'modern',
        agreement: {
          revision,
          version: revision.id,
          serverInfo: readModernMeta(result)?.serverInfo,
          capabilities: isJsonObject(result['capabilities']) ? result['capabilities'] : {},
          instructions: typeof result['instructions'] === 'string' ? result['instructions'] : undefined,
        },
      };
};

/** A modern server that does not know our version names its own; the next try uses one of those. */
const otherModern = (
  error: JsonRpcErrorBody,
  tried: readonly Revision[],
  handshake: Handshake,
): Revision | undefined => {
  if (!isModernOnlyCode(error.code)) return undefined;
  if (error.code !== RPC_CODE.unsupportedProtocolVersion) {
    throw rpcError(error, handshake.redact).with({ delivery: 'not-executed' });
  }
  const offered = isJsonObject(error.data) ? textsIn(error.data['supported']) : [];
  const revision = choose(offered, handshake.host);
  // A server that refuses what it says it supports, as during a roll-out, is taken at its word once.
  if (revision !== undefined && tried.filter((one) => one === revision).length > 1) {
    throw rpcError(error, handshake.redact).with({ delivery: 'not-executed' });
  }
  return revision;
};

/** Does this failure say anything about the era? A server that is silent may wait for the greeting that it knows. */
const isAboutEra = (error: McpClientError, handshake: Handshake): boolean =>
  error.code === 'UPSTREAM_TIMEOUT'
    ? error.delivery === 'ambiguous' && handshake.signal.aborted
    : looksLikeOtherEra(error);

/** Asks `server/discover`. Only a recognised modern answer makes a server modern; everything else is legacy. */
export const discover = async (handshake: Handshake): Promise<Probe> => {
  let revision = revisionOf(LATEST_MODERN);
  const tried: Revision[] = [];
  for (;;) {
    tried.push(revision);
    let response: JsonRpcResponse;
    try {
      response = await ask(handshake, revision);
    } catch (thrown) {
      const refusal = toClientError(thrown);
      if (isAboutEra(refusal, handshake)) return { era: 'legacy', refusal };
      throw refusal.with({ delivery: 'not-executed' });
    }
    if (!('error' in response)) {
      const probe = readResult(response.result, handshake.host);
      if (probe.era === 'modern') handshake.transport.adopt(probe.agreement.revision);
      return probe;
    }
    const next = otherModern(response.error, tried, handshake);
    if (next === undefined) return { era: 'legacy', refusal: rpcError(response.error, handshake.redact) };
    revision = next;
  }
};
