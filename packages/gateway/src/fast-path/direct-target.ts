import type { FastLine } from '@plugboard/client';
import type { Server } from '@plugboard/contract';
import { type JsonObject, readParamHeaders } from '@plugboard/wire';
import type { Scope } from '../call/scope.js';
import type { ServerTool } from '../call/offered-tool.js';
import { profileOf } from '../connection/capability-profile.js';
import { channelFor } from '../connection/lease-link.js';
import type { ServerFacts } from '../connection/server-facts.js';
import { takesTasks, taskSupportOf } from '../connection/task-support.js';
import type { UpstreamLink } from '../connection/upstream-link.js';
import type { UpstreamPool } from '../connection/upstream-pool.js';
import type { DirectClient } from './direct-client.js';
import type { DirectObstacle } from '../call/relay-path.js';
import { type EraBridge, type ModernAsked, toLegacyServer, toModernServer } from './era-bridge.js';
import { Introductions } from './introductions.js';
import type { WrittenCall } from './written-call.js';

/** Where a call on the fast path goes. */
export interface DirectTarget {
  readonly server: Server;
  /** For calls of tools. */
  readonly tool: ServerTool | undefined;
  readonly link: UpstreamLink;
  readonly line: FastLine;
  /** Present when client and server speak different eras. */
  readonly bridge: EraBridge | undefined;
}

/** The client as the server gets to know it, and the side of the server that it meets. */
interface Meeting {
  readonly client: DirectClient;
  readonly facts: ServerFacts;
}

/** Who answers a request. */
type Route = Pick<DirectTarget, 'server' | 'tool'>;

const toolRoute = (scope: Scope, name: string): Route | DirectObstacle => {
  const tool = scope.findTool(name);
  if (tool.kind !== 'server' || tool.mapArguments !== undefined) return 'tool';
  return { server: tool.server, tool };
};

/** On an endpoint of several servers, lists have to be read to know whose prompt or resource it is. */
const serverRoute = (scope: Scope): Route | DirectObstacle => {
  const [server] = scope.kind === 'server' ? scope.servers() : [];
  return server === undefined ? 'owner' : { server, tool: undefined };
};

const routeOf = (scope: Scope, { method, subject }: WrittenCall): Route | DirectObstacle => {
  try {
    return method === 'tools/call' ? toolRoute(scope, subject ?? '') : serverRoute(scope);
  } catch {
    // The full path says why.
    return 'tool';
  }
};

/**
 * Questions on the stream of an HTTP session come beside the answer to the call that they are about: only calls on the full
 * path hear them there.
 */
const mayBeAskedElsewhere = ({ transport, hasSessions }: ServerFacts, capabilities: JsonObject): boolean =>
  transport !== 'stdio' && hasSessions && profileOf(capabilities).key !== '';

const bridgeFor = ({ client, facts }: Meeting, asked: ModernAsked): EraBridge =>
  facts.era === 'legacy' ? toLegacyServer(facts, asked.method) : toModernServer(client.facts, client.session, asked);

/** Finds the open connection of a client to the server that a request is for. */
export class DirectTargets {
  readonly #upstream: UpstreamPool;
  /** Whether a definition wants parameters repeated in HTTP fields: looked up once. */
  readonly #mirrored = new WeakMap<ServerTool, boolean>();
  readonly #introductions = new Introductions();

  constructor(upstream: UpstreamPool) {
    this.#upstream = upstream;
  }

  find(scope: Scope, call: WrittenCall, client: DirectClient): DirectTarget | DirectObstacle {
    const route = routeOf(scope, call);
    if (typeof route === 'string') return route;
    const { server, tool } = route;
    const meeting = this.#meet(route, call, client);
    if (typeof meeting === 'string') return meeting;
    // The hub compares the fields of a modern client, and writes those for a modern server.
    const hasFields = meeting.facts.era === 'modern' || client.facts.revision.era === 'modern';
    if (hasFields && tool !== undefined && this.#isMirrored(tool)) return 'param-headers';
    const link = this.#link(server, meeting);
    if (typeof link === 'string') return link;
    const line = link.client.direct;
    if (line === undefined) return 'transport';
    if (line.era !== meeting.facts.era) return 'era';
    const { era, id: revision } = client.facts.revision;
    if (line.era === era) {
      return era === 'modern' && line.revision !== revision ? 'era' : { server, tool, link, line, bridge: undefined };
    }
    const bridge = bridgeFor(meeting, { method: call.method, tool, revision: line.revision });
    return { server, tool, link, line, bridge };
  }

  /** Between eras, only what needs nothing but another envelope. */
  #meet({ server, tool }: Route, call: WrittenCall, client: DirectClient): Meeting | DirectObstacle {
    const { facts: known, session } = client;
    const facts = this.#upstream.meet(server.id, { client: known, session });
    if (facts === undefined) return 'connection';
    if (facts.era === known.revision.era) return { client, facts };
    const { spans } = call;
    if (known.revision.era === 'legacy') {
      const isPlain = spans.clientInfo === undefined && spans.clientCapabilities === undefined;
      return isPlain && spans.logLevel === undefined ? { client, facts } : 'era';
    }
    // The level of a legacy connection has to be set first.
    if (spans.logLevel !== undefined || taskSupportOf(tool) === 'required') return 'era';
    const introduced = this.#introductions.read(call, known);
    if (introduced === undefined) return 'message';
    const { capabilities } = introduced;
    if (takesTasks(capabilities) || mayBeAskedElsewhere(facts, capabilities)) return 'era';
    return { client: { facts: introduced, session }, facts };
  }

  #link(server: Server, { client: { facts: client, session }, facts }: Meeting): UpstreamLink | DirectObstacle {
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
