import type { Era } from '@plugboard/wire';
import type { Scope } from '../../call/scope.js';
import type { UpstreamPool } from '../../connection/upstream-pool.js';

const MAX_CHARS = 16_384;

/** The instructions of the servers behind an endpoint; of several, each under its server's name. */
export const instructionsOf = (scope: Scope, upstream: UpstreamPool, era: Era): string | undefined => {
  const parts = scope.servers().flatMap((server) => {
    const text = upstream.facts(server.id, era)?.instructions;
    if (text === undefined || text === '') return [];
    return scope.kind === 'server' ? [text] : [`## ${server.server_name}\n\n${text}`];
  });
  const all = [...(scope.instructions === undefined ? [] : [scope.instructions]), ...parts].join('\n\n');
  if (all === '') return undefined;
  return scope.kind === 'server' || all.length <= MAX_CHARS ? all : `${all.slice(0, MAX_CHARS)}…`;
};
