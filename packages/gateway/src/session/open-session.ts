import { ASSUMED_REVISION, findRevision, type JsonObject, LATEST_LEGACY, revisionOf } from '@plugboard/wire';
import { GREETING_MS, type GreetingParts, initializeResult, legacyVersionFor } from '../offer/greeting/greeting.js';
import type { ServerLearning } from '../offer/greeting/learn-servers.js';
import type { ResourceSubscriptions } from '../offer/changes/resource-subscriptions.js';
import type { Caller } from '../call/caller.js';
import type { ClientFacts } from '../call/mcp-call.js';
import type { ChangeFeed } from '../offer/changes/change-feed.js';
import type { Scope } from '../call/scope.js';
import { shortId } from '../call/flow-watch.js';
import type { AnswerParts } from './answer-call.js';
import { seeOneWay } from './see-one-way.js';
import type { LegacySession } from './legacy-session.js';
import type { Introduction } from './read-initialize.js';

export interface OpenSessionParts extends GreetingParts, Pick<AnswerParts, 'flows' | 'transport'> {
  readonly learning: ServerLearning;
  readonly changes: ChangeFeed;
  readonly subscriptions: ResourceSubscriptions;
}

/** What is known of a legacy client that introduced itself. */
export const factsFromInitialize = (
  { protocolVersion, capabilities, clientInfo }: Introduction,
  caller: Caller,
): ClientFacts => ({
  revision: revisionOf(legacyVersionFor(protocolVersion)),
  capabilities,
  clientInfo,
  caller,
});

/** What is assumed of a legacy client that sends requests without a session. */
export const statelessFacts = (version: string | undefined, caller: Caller): ClientFacts => {
  const found = version === undefined ? undefined : findRevision(version);
  return {
    revision: found?.era === 'legacy' ? found : revisionOf(version === undefined ? ASSUMED_REVISION : LATEST_LEGACY),
    capabilities: {},
    clientInfo: undefined,
    caller,
  };
};

/** The answer to initialize: servers that nobody has spoken to yet are asked first, for a moment. */
export const greet = async (
  parts: OpenSessionParts,
  scope: Scope,
  { protocolVersion }: Introduction,
  session?: LegacySession,
): Promise<JsonObject> => {
  const { learning } = parts;
  await learning.learn(scope, GREETING_MS[scope.kind]);
  // On an endpoint of several servers the first call to each finds out.
  if (session !== undefined && scope.kind === 'server') await learning.learnLegacy(scope, session, GREETING_MS.server);
  return initializeResult(scope, parts, protocolVersion);
};

/** Who opened a session, and when it ends. */
const noteSession = ({ flows, transport = 'http' }: OpenSessionParts, session: LegacySession): void => {
  if (flows?.followsCalls !== true) return;
  const { id, client, scope } = session;
  const { revision, clientInfo, caller } = client;
  const subject = { session: shortId(id), endpoint: scope.id, transport, caller: caller.principal };
  const { name, version } = clientInfo ?? {};
  flows.note('A client opened a session.', {
    ...subject,
    revision: revision.id,
    client: name,
    client_version: version,
  });
  session.onEnd(() => flows.note('A client session ended.', subject));
};

/** From now on the session hears of changes. */
export const announceTo = (parts: OpenSessionParts, session: LegacySession): void => {
  const { changes, subscriptions } = parts;
  noteSession(parts, session);
  const leave = changes.add({
    scope: session.endpoint,
    session,
    wants: () => true,
    watches: (uri, link) => subscriptions.nameOf(session, link, uri),
    tell: (notification) => {
      seeOneWay(parts, session.scope, notification, 'sent');
      session.channel.notify(notification);
    },
  });
  session.onEnd(leave);
};
