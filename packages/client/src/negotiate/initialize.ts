import {
  buildNotification,
  buildRequest,
  chooseRevision,
  findRevision,
  isJsonObject,
  LATEST_LEGACY,
  type JsonRpcFailure,
  type JsonRpcResponse,
} from '@plugboard/wire';
import { McpProtocolError } from '../error/error-family.js';
import { rpcError } from '../error/rpc-error.js';
import type { Agreement } from './agreement.js';
import type { Handshake } from './handshake.js';

const ask = (handshake: Handshake, version: string): Promise<JsonRpcResponse> => {
  const { transport, nextId, identity, signal, onIncoming } = handshake;
  const params = {
    protocolVersion: version,
    capabilities: identity.capabilities,
    clientInfo: identity.clientInfo,
  };
  return transport.request(buildRequest(nextId(), 'initialize', params), { signal, onIncoming });
};

/** A server that refuses our version may name those it knows. */
const otherVersion = (failure: JsonRpcFailure): string | undefined => {
  const { data } = failure.error;
  const supported: unknown = isJsonObject(data) ? data['supported'] : undefined;
  return Array.isArray(supported)
    ? chooseRevision(
        supported.filter((name) => typeof name === 'string'),
        'legacy',
      )?.id
    : undefined;
};

const readAgreement = (result: unknown, host: string): Agreement => {
  const version = isJsonObject(result) ? result['protocolVersion'] : undefined;
  if (!isJsonObject(result) || typeof version !== 'string') {
    throw new McpProtocolError('UPSTREAM_PROTOCOL', `${host} answered initialize without a protocol version.`, {
      hint: 'The server does not follow the MCP specification.',
    });
  }
  const revision = findRevision(version);
  if (revision === undefined || revision.era !== 'legacy') {
    throw new McpProtocolError('UPSTREAM_PROTOCOL', `${host} speaks protocol version "${version.slice(0, 40)}".`, {
      hint: 'The two sides have no version in common. Update the server or this client.',
    });
  }
  return {
    revision,
    version,
    serverInfo: isJsonObject(result['serverInfo']) ? result['serverInfo'] : undefined,
    capabilities: isJsonObject(result['capabilities']) ? result['capabilities'] : {},
    instructions: typeof result['instructions'] === 'string' ? result['instructions'] : undefined,
  };
};

/** Opens a session the legacy way: initialize, then notifications/initialized. */
export const initialize = async (handshake: Handshake): Promise<Agreement> => {
  let response = await ask(handshake, LATEST_LEGACY);
  if ('error' in response) {
    const version = otherVersion(response);
    if (version !== undefined && version !== LATEST_LEGACY) response = await ask(handshake, version);
  }
  if ('error' in response) throw rpcError(response.error, handshake.redact).with({ delivery: 'not-executed' });
  const agreement = readAgreement(response.result, handshake.host);
  handshake.transport.adopt(agreement.revision);
  await handshake.transport.send(buildNotification('notifications/initialized'), handshake.signal);
  return agreement;
};
