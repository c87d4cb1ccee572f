import { chooseRevision, type Era, type JsonObject, LATEST_LEGACY, LATEST_MODERN, META_KEY } from '@plugboard/wire';
import type { Scope } from '../../call/scope.js';
import type { UpstreamPool } from '../../connection/upstream-pool.js';
import { capabilitiesOf } from './capabilities.js';

const MAX_CHARS = 16_384;

/** The instructions of the servers behind an endpoint; of several, each under its server's name. */
const instructionsOf = (scope: Scope, upstream: UpstreamPool, era: Era): string | undefined => {
  const parts = scope.servers().flatMap((server) => {
    const text = upstream.facts(server.id, era)?.instructions;
    if (text === undefined || text === '') return [];
    return scope.kind === 'server' ? [text] : [`## ${server.server_name}\n\n${text}`];
  });
  const all = [...(scope.instructions === undefined ? [] : [scope.instructions]), ...parts].join('\n\n');
  if (all === '') return undefined;
  return scope.kind === 'server' || all.length <= MAX_CHARS ? all : `${all.slice(0, MAX_CHARS)}…`;
};

export interface HubIdentity {
  readonly name: string;
  readonly version: string;
}

/** The modern versions; a client that wants an older one says initialize. */
export const MODERN_VERSIONS: readonly string[] = [LATEST_MODERN];

const DISCOVER_TTL_MS = 10_000;

/** A single server introduces itself; several are introduced by the hub. */
export const serverInfoOf = (scope: Scope, { upstream, identity }: GreetingParts, era: Era): JsonObject => {
  const [server] = scope.kind === 'server' ? scope.servers() : [];
  return (server && upstream.facts(server.id, era)?.serverInfo) ?? { name: identity.name, version: identity.version };
};

/** The version that a legacy client gets: its own where it is known, else the newest that it may know. */
export const legacyVersionFor = (wanted: string) => chooseRevision([wanted], 'legacy')?.id ?? LATEST_LEGACY;

export interface GreetingParts {
  readonly upstream: UpstreamPool;
  readonly identity: HubIdentity;
}

/** How long a greeting waits for servers that nobody has spoken to yet. */
export const GREETING_MS = { server: 5000, merged: 500 } as const;

/** The result of initialize. */
export const initializeResult = (scope: Scope, parts: GreetingParts, wanted: string): JsonObject => {
  const instructions = instructionsOf(scope, parts.upstream, 'legacy');
  return {
    protocolVersion: legacyVersionFor(wanted),
    capabilities: capabilitiesOf(scope, parts.upstream, 'legacy'),
    serverInfo: serverInfoOf(scope, parts, 'legacy'),
    ...(instructions === undefined ? {} : { instructions }),
  };
};

/** The result of server/discover. */
export const discoverResult = (scope: Scope, parts: GreetingParts): JsonObject => {
  const instructions = instructionsOf(scope, parts.upstream, 'modern');
  return {
    resultType: 'complete',
    supportedVersions: MODERN_VERSIONS,
    capabilities: capabilitiesOf(scope, parts.upstream, 'modern'),
    ...(instructions === undefined ? {} : { instructions }),
    ttlMs: DISCOVER_TTL_MS,
    cacheScope: 'private',
    _meta: { [META_KEY.serverInfo]: serverInfoOf(scope, parts, 'modern') },
  };
};
