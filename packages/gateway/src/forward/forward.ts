import { legacyToModern } from './bridge/legacy-to-modern.js';
import { modernToLegacy } from './bridge/modern-to-legacy.js';
import type { ParkedCalls } from './bridge/parked-calls.js';
import type { CallFlow } from '../call/call-flow.js';
import type { CallTimes } from '../call/call-times.js';
import type { McpCall } from '../call/mcp-call.js';
import type { LargeAnswers } from '../answer-thread/large-answers.js';
import type { UpstreamRoute } from '../call/route.js';
import { leaseLink, leaseSentOver } from '../connection/lease-link.js';
import type { LinkIdentity } from '../connection/link-identity.js';
import type { UpstreamPool } from '../connection/upstream-pool.js';
import type { LeasedCall } from './relay/leased-call.js';
import { relayLegacy } from './relay/relay-legacy.js';
import { relayModern } from './relay/relay-modern.js';

export interface ForwardParts {
  readonly upstream: UpstreamPool;
  readonly parked: ParkedCalls;
  readonly large?: LargeAnswers | undefined;
}

const held = async (leased: LeasedCall, work: (leased: LeasedCall) => Promise<unknown>) => {
  try {
    return await work(leased);
  } finally {
    leased.lease.letGo();
  }
};

const ownerOf = ({ session, agent, login }: LinkIdentity): string => {
  if (session !== undefined) return "session's";
  return agent === undefined && login === undefined ? 'shared' : "caller's";
};

const noteForward = (flow: CallFlow | undefined, { call, route, lease }: LeasedCall): void => {
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
  const { sent, notes } = call;
  // What is with its server already was not measured from its beginning.
  const times: CallTimes | undefined = sent === undefined ? { forwarded: performance.now() } : undefined;
  if (notes !== undefined) notes.times = times;
  const lease =
    (sent && leaseSentOver(parts.upstream, route.server, sent.client)) ??
    (await leaseLink(parts.upstream, route.server, call, call.signal));
  if (times !== undefined) times.connected = performance.now();
  const leased: LeasedCall = { call, route, lease };
  const clientEra = call.client.revision.era;
  noteForward(call.notes?.flow, leased);
  if (clientEra === lease.facts.era) {
    return held({ call, route, lease, large: parts.large }, clientEra === 'modern' ? relayModern : relayLegacy);
  }
  // A parked call keeps its connection beyond this request, so the bridge releases it.
  return clientEra === 'modern' ? modernToLegacy(leased, parts.parked) : held(leased, legacyToModern);
};
