import { legacyToModern } from '../bridge/legacy-to-modern.js';
import { modernToLegacy } from '../bridge/modern-to-legacy.js';
import type { ParkedCalls } from '../bridge/parked-calls.js';
import type { CallFlow } from '../call/call-flow.js';
import type { McpCall } from '../call/mcp-call.js';
import type { LargeAnswers } from '../large/large-answers.js';
import type { UpstreamRoute } from '../route/route.js';
import { leaseLink } from '../upstream/lease-link.js';
import type { LinkIdentity } from '../upstream/link-identity.js';
import type { UpstreamPool } from '../upstream/upstream-pool.js';
import type { UpstreamExchange } from './exchange.js';
import { relayLegacy } from './relay-legacy.js';
import { relayModern } from './relay-modern.js';

export interface ForwardParts {
  readonly upstream: UpstreamPool;
  readonly parked: ParkedCalls;
  readonly large?: LargeAnswers | undefined;
}

const held = async (exchange: UpstreamExchange, work: (exchange: UpstreamExchange) => Promise<unknown>) => {
  try {
    return await work(exchange);
  } finally {
    exchange.lease.letGo();
  }
};

const ownerOf = ({ session, agent, login }: LinkIdentity): string => {
  if (session !== undefined) return "session's";
  return agent === undefined && login === undefined ? 'shared' : "caller's";
};

const noteForward = (flow: CallFlow | undefined, { call, route, lease }: UpstreamExchange): void => {
  if (flow === undefined) return;
  const { era, transport } = lease.facts;
  flow.path = call.client.revision.era === era ? 'full' : 'bridge';
  flow.upstreamEra = era;
  flow.transport = transport;
  flow.decide(`${ownerOf(lease.link.identity)} connection`);
  if (route.tool?.kind === 'server' && route.tool.mapArguments !== undefined) flow.decide('arguments mapped');
};

/** Sends a routed request to its server: relayed when both sides speak the same era, bridged when they do not. */
export const forward = async (parts: ForwardParts, call: McpCall, route: UpstreamRoute): Promise<unknown> => {
  const lease = await leaseLink(parts.upstream, route.server, call, call.signal);
  const exchange: UpstreamExchange = { call, route, lease };
  const clientEra = call.client.revision.era;
  noteForward(call.notes?.flow, exchange);
  if (clientEra === lease.facts.era) {
    return held({ ...exchange, large: parts.large }, clientEra === 'modern' ? relayModern : relayLegacy);
  }
  // A parked call keeps its connection beyond this request, so the bridge lets go of it by itself.
  return clientEra === 'modern' ? modernToLegacy(exchange, parts.parked) : held(exchange, legacyToModern);
};
