import { isModernRevision } from '../definition/era.js';
import { isObject } from '../json-rpc/message.js';
import { INVALID_PARAMS, INVALID_REQUEST, RpcError } from '../json-rpc/rpc-error.js';
import type { Session } from '../state/session.js';
import { capabilitiesOf, serverInfoOf } from './capabilities.js';
import { isLogLevel } from '../definition/log-level.js';
import type { Method, MethodContext, MethodTable } from './method.js';

const initialize: Method = (params, { world, exchange }) => {
  const asked = params['protocolVersion'];
  if (typeof asked !== 'string') throw new RpcError(INVALID_PARAMS, 'protocolVersion is required');
  const spoken = world.revisions.filter((revision) => !isModernRevision(revision));
  const agreed = spoken.includes(asked) ? asked : spoken[0];
  if (agreed === undefined) throw new RpcError(INVALID_REQUEST, 'No revision with initialize is spoken here');
  const { session } = exchange;
  if (session !== undefined) {
    session.protocolVersion = agreed;
    session.clientCapabilities = isObject(params['capabilities']) ? params['capabilities'] : {};
    session.clientInfo = isObject(params['clientInfo']) ? params['clientInfo'] : {};
  }
  return {
    protocolVersion: agreed,
    capabilities: capabilitiesOf(world, 'legacy'),
    serverInfo: serverInfoOf(world),
    ...(world.options.instructions === undefined ? {} : { instructions: world.options.instructions }),
  };
};

const setLevel: Method = (params, context) => {
  const level = params['level'];
  if (!isLogLevel(level)) throw new RpcError(INVALID_PARAMS, 'Invalid log level');
  const { session } = context.exchange;
  if (session !== undefined) session.logLevel = level;
  return {};
};

const sessionOf = ({ exchange }: MethodContext): Session => {
  if (exchange.session === undefined) throw new RpcError(INVALID_REQUEST, 'This needs a session');
  return exchange.session;
};

const subscribe: Method = (params, context) => {
  sessionOf(context).subscriptions.add(String(params['uri']));
  return {};
};

const unsubscribe: Method = (params, context) => {
  sessionOf(context).subscriptions.delete(String(params['uri']));
  return {};
};

export const legacyMethods: MethodTable = {
  initialize,
  ping: () => ({}),
  'logging/setLevel': setLevel,
  'resources/subscribe': subscribe,
  'resources/unsubscribe': unsubscribe,
};
