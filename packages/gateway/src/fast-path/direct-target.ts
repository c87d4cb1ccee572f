import type { FastLine } from '@plugboard/client';
import { readParamHeaders } from '@plugboard/wire';
import type { Scope } from '../call/scope.js';
import type { OfferedTool, ServerTool } from '../call/offered-tool.js';
import { channelFor } from '../connection/lease-link.js';
import type { UpstreamLink } from '../connection/upstream-link.js';
import type { UpstreamPool } from '../connection/upstream-pool.js';
import type { DirectClient } from './direct-client.js';
import type { DirectObstacle } from '../call/relay-path.js';

/** Where a call on the fast path goes. */
export interface DirectTarget {
  readonly tool: ServerTool;
  readonly link: UpstreamLink;
  readonly line: FastLine;
}

const offered = (scope: Scope, name: string): OfferedTool | undefined => {
  try {
    return scope.findTool(name);
  } catch {
    // The full path says why.
    return undefined;
  }
};

/** Finds the open connection of a client to the server of a tool. */
export class DirectTargets {
  readonly #upstream: UpstreamPool;
  /** Whether a definition wants parameters repeated in HTTP fields: looked up once. */
  readonly #mirrored = new WeakMap<ServerTool, boolean>();

  constructor(upstream: UpstreamPool) {
    this.#upstream = upstream;
  }

  find(scope: Scope, name: string, client: DirectClient): DirectTarget | DirectObstacle {
    const tool = offered(scope, name);
    if (tool?.kind !== 'server' || tool.mapArguments !== undefined) return 'tool';
    const { era, id: revision } = client.facts.revision;
    if (era === 'modern' && this.#isMirrored(tool)) return 'param-headers';
    const link = this.#link(tool, client);
    if (typeof link === 'string') return link;
    const line = link.client.direct;
    if (line === undefined) return 'transport';
    if (line.era !== era || (era === 'modern' && line.revision !== revision)) return 'era';
    return { tool, link, line };
  }

  #link({ server }: ServerTool, { facts: client, session }: DirectClient): UpstreamLink | DirectObstacle {
    const facts = this.#upstream.meet(server.id, { client, session });
    if (facts === undefined) return 'connection';
    if (facts.era !== client.revision.era) return 'era';
    if (facts.transport === 'sse') return 'transport';
    const plain = this.#upstream.plainIdentity(server, client.caller);
    const { key } = channelFor(this.#upstream, server, facts, { client, session, plain });
    const link = this.#upstream.find(server.id, key);
    return link?.knownAs === server && link.client.isInitialized ? link : 'connection';
  }

  #isMirrored(tool: ServerTool): boolean {
    const known = this.#mirrored.get(tool);
    if (known !== undefined) return known;
    const isMirrored = [tool.definition, tool.upstreamDefinition].some(({ inputSchema }) => {
      const read = readParamHeaders(inputSchema);
      return !read.valid || read.headers.length > 0;
    });
    this.#mirrored.set(tool, isMirrored);
    return isMirrored;
  }
}
