import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server, ServerId } from '@plugboard/contract';
import type { FleetSide, HttpExchange } from '@plugboard/gateway';
import type { FleetStore } from '@plugboard/registry';
import { BEAT_MS, FleetMembers } from './fleet-members.js';
import { HeldLeases } from './held-leases.js';
import { openPeerChannel, type PeerChannel } from './peer-channel.js';
import { peerKey } from './peer-proof.js';
import { Peers } from './peers.js';
import { isOwnedOnce, serverOfLease, ServerOwner } from './server-owner.js';
import { markOfBrowser, markOfDecision, markOfRun, sessionOfRequest } from './session-of-request.js';
import { SessionPlace } from './session-place.js';

/** Where this process listens for the others. */
export interface FleetAddress {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** How the others reach it; `{port}` stands for the port that was opened. */
  readonly url: string;
}

export interface FleetOptions {
  readonly store: FleetStore;
  readonly address: FleetAddress;
  readonly version: string;
  readonly taskKey: Uint8Array;
  readonly localKey: () => string;
  readonly holdsSession: (id: string) => boolean;
  /** Where a request comes from. */
  readonly addressOf: (request: IncomingMessage) => string;
  /** The server that a request outside a session is about; undefined when it is about none, or about several. */
  readonly serverOf: (request: IncomingMessage, segments: readonly string[]) => Server | undefined;
  /** Ends what requests outside a session share of a server. */
  readonly releaseShared: (id: ServerId) => Promise<void>;
  readonly onStoreFailure: (error: unknown) => void;
}

const LEADER = 'leader';
/** What `/v1/` calls that which one process carries out and answers for. */
const AREAS_OF_RUNS: ReadonlySet<string | undefined> = new Set(['checks', 'benchmarks']);
/** A program whose process was killed is started by another one after this time at the latest. */
const LEASE_MS = 10_000;
const MARGIN_MS = 1500;
const EXPIRE_MS = 500;
const OPEN_WAIT_MS = 1000;
const MARK_BYTES = 4;

const bearerOf = ({ headers }: IncomingMessage): string | undefined =>
  headers.authorization?.replace(/^bearer /iu, '') ?? (headers['x-api-key'] as string | undefined);

/**
 * The processes that share a store and serve the same clients. Each can answer every request; what only one of them can
 * answer is passed on to it.
 */
export class Fleet {
  readonly mark = randomBytes(MARK_BYTES).toString('hex');
  readonly #options: FleetOptions;
  readonly #key: Uint8Array;
  #running:
    | {
        readonly channel: PeerChannel;
        readonly members: FleetMembers;
        readonly leases: HeldLeases;
        readonly peers: Peers;
        readonly sessions: SessionPlace;
        readonly servers: ServerOwner;
        readonly keeping: readonly NodeJS.Timeout[];
      }
    | undefined;

  constructor(options: FleetOptions) {
    this.#options = options;
    this.#key = peerKey(options.taskKey);
  }

  /** What the gateway must know. */
  get side(): FleetSide {
    return {
      mark: this.mark,
      share: () => 1 / (this.#running?.members.liveCount ?? 1),
      lend: (asks) => this.#options.store.lend(this.mark, asks),
      openWaitMs: OPEN_WAIT_MS,
      passOn: (mark, exchange, body) => this.#passTo(mark, exchange, body),
    };
  }

  /** Does this process do what must be done once? */
  get isLeader(): boolean {
    return this.#running?.leases.peek(LEADER)?.isMine === true;
  }

  /** Joins the fleet. @param handle answers a request that another process passed on */
  async join(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<void> {
    const { store, address, version, onStoreFailure, releaseShared } = this.#options;
    const channel = await openPeerChannel({
      key: this.#key,
      id: this.mark,
      host: address.host,
      port: address.port,
      // Before this process has joined, it serves nothing anyway.
      isMember: async (id) => this.#running === undefined || (await this.#running.members.find(id)) !== undefined,
      localKey: this.#options.localKey(),
      serves: (request, lease) => this.#serves(request, lease),
      handle,
    });
    const url = address.url.replace('{port}', String(channel.port));
    const members = new FleetMembers({ store, self: { id: this.mark, url, version }, onFailure: onStoreFailure });
    const leases = new HeldLeases({
      store,
      holder: this.mark,
      ttlMs: LEASE_MS,
      marginMs: MARGIN_MS,
      isAlone: () => members.others().length === 0,
      onLost: (name) => {
        const id = serverOfLease(name);
        if (id !== undefined) void releaseShared(id as ServerId);
      },
    });
    const peers = new Peers({
      key: this.#key,
      members,
      isLocal: ({ request }) => bearerOf(request) === this.#options.localKey(),
      addressOf: this.#options.addressOf,
    });
    const sessions = new SessionPlace({ store, members, peers });
    const servers = new ServerOwner({ leases, members, peers });
    let keeping: Promise<void> | undefined;
    const keepLeases = async (): Promise<void> => {
      await leases.renew();
      await leases.resolve(LEADER).catch(() => undefined);
    };
    const keep = (): Promise<void> => (keeping ??= keepLeases().finally(() => (keeping = undefined)));
    await members.start();
    await keep();
    const timers = [setInterval(() => void keep(), BEAT_MS), setInterval(() => leases.expire(), EXPIRE_MS)];
    for (const timer of timers) timer.unref();
    this.#running = { channel, members, leases, peers, sessions, servers, keeping: timers };
  }

  /** Undefined when the request is answered here; else whether it was passed on. */
  elsewhere(
    request: IncomingMessage,
    response: ServerResponse,
    segments: readonly string[],
  ): Promise<boolean> | undefined {
    const running = this.#running;
    if (running === undefined || running.channel.wasPassedOn(request)) return undefined;
    const exchange: HttpExchange = { request, response };
    const session = sessionOfRequest(request);
    if (session !== undefined) {
      if (this.#options.holdsSession(session.id)) return undefined;
      return running.sessions.passOn(session.id, exchange, session.isKept);
    }
    const server = this.#options.serverOf(request, segments);
    return server !== undefined && isOwnedOnce(server) ? running.servers.passOn(server, exchange) : undefined;
  }

  /** The same for a browser that is signed in at another process. Nobody was asked for a key yet. */
  browserElsewhere(request: IncomingMessage, response: ServerResponse): Promise<boolean> | undefined {
    const running = this.#running;
    const mark = markOfBrowser(request);
    if (running === undefined || mark === undefined || mark === this.mark) return undefined;
    return running.channel.wasPassedOn(request) ? undefined : this.#passTo(mark, { request, response });
  }

  /**
   * The same for what the admin API knows at one process only: runs of the referee, calls of agents that wait
   * for a decision, and what the monitor found.
   */
  adminElsewhere(
    request: IncomingMessage,
    response: ServerResponse,
    segments: readonly string[],
  ): Promise<boolean> | undefined {
    const running = this.#running;
    const [version, area, name] = segments;
    if (running === undefined || version !== 'v1' || running.channel.wasPassedOn(request)) return undefined;
    const mark =
      area === 'monitor'
        ? running.leases.peek(LEADER)?.holder
        : AREAS_OF_RUNS.has(area)
          ? markOfRun(name)
          : markOfDecision(segments);
    return mark === undefined || mark === this.mark ? undefined : this.#passTo(mark, { request, response });
  }

  /** Where a request came from that another process passed on; undefined for one that came here directly. */
  clientOf(request: IncomingMessage): string | undefined {
    return this.#running?.channel.clientOf(request);
  }

  /** Was the process with this mark heard of lately? */
  isThere(mark: string): boolean {
    return mark === this.mark || this.#running?.members.isHeard(mark) === true;
  }

  /** The same, also for a process that joined since the store was last asked. */
  async isRunning(mark: string): Promise<boolean> {
    return mark === this.mark || (await this.#running?.members.isThere(mark)) === true;
  }

  /** From now on the others take over what this process has. */
  async leave(): Promise<void> {
    const running = this.#running;
    if (running === undefined) return;
    running.channel.refuseNew();
    for (const timer of running.keeping) clearInterval(timer);
    await running.members.stop();
    await running.leases.releaseAll();
  }

  async close(): Promise<void> {
    await this.leave();
    await this.#running?.peers.close();
    await this.#running?.channel.close();
    this.#running = undefined;
  }

  async #passTo(mark: string, exchange: HttpExchange, body?: Buffer): Promise<boolean> {
    const member = await this.#running?.members.find(mark);
    return member !== undefined && (await this.#running?.peers.pass(member, exchange, { body })) === 'passed';
  }

  async #serves(request: IncomingMessage, lease: string | undefined): Promise<boolean> {
    const running = this.#running;
    if (running === undefined) return false;
    if (lease !== undefined) return running.servers.holds(lease);
    const session = sessionOfRequest(request);
    // A call that waits for its client: whether it is here, its state tells.
    if (session === undefined || this.#options.holdsSession(session.id)) return true;
    return session.isKept && running.sessions.isOurs(session.id);
  }
}
