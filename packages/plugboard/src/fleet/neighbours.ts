import type { Socket } from 'node:net';
import { Http1Pool } from '@plugboard/client';
import type { HttpExchange } from '@plugboard/gateway';
import type { FleetMember } from '@plugboard/registry';
import { peekBody } from './peek-body.js';
import type { PassOutcome } from './pass-on.js';
import { passSmall, type SmallPassing } from './pass-small.js';

/** A larger body waits for the consent of the other process. It fits into the memory of a request on every Node. */
const SMALL_BYTES = 16 * 1024;
/** More at the same time go the other way, which has no limit of its own: a stream holds its connection. */
const MAX_UNDER_WAY = 256;
/** Shorter than the other process keeps them. */
const KEEP_ALIVE_MS = 10_000;
const CONNECT_MS = 3000;

const DIGITS = /^\d{1,6}$/u;

/** The body of a POST when it is small and its length is known; the one that was read already, if there is one. */
export const smallBody = async (
  { request }: Pick<HttpExchange, 'request'>,
  known: Buffer | undefined,
): Promise<Buffer | undefined> => {
  const { method, headers } = request;
  if (method !== 'POST') return undefined;
  if (known !== undefined) return known.length <= SMALL_BYTES ? known : undefined;
  const declared = headers['content-length'];
  if (declared === undefined || !DIGITS.test(declared) || headers.expect !== undefined) return undefined;
  const length = Number(declared);
  return length > 0 && length <= SMALL_BYTES ? peekBody(request, length) : undefined;
};

/** The fast path to one process on this machine. */
export class Neighbour {
  readonly #pool: Http1Pool;
  #underWay = 0;

  constructor({ url }: Pick<FleetMember, 'url'>) {
    const network = { connections: MAX_UNDER_WAY, keepAliveMs: KEEP_ALIVE_MS, connectTimeoutMs: CONNECT_MS };
    this.#pool = new Http1Pool({ url: new URL(url), network });
  }

  get isFree(): boolean {
    return this.#underWay < MAX_UNDER_WAY;
  }

  pass(passing: Omit<SmallPassing, 'pool' | 'onOver'>): Promise<PassOutcome> {
    this.#underWay += 1;
    const onOver = (): void => void (this.#underWay -= 1);
    return passSmall({ ...passing, pool: this.#pool, onOver });
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }
}

/** The members that were found to run on this machine. */
export class Neighbours {
  readonly #known = new Map<string, Neighbour>();

  /** Undefined when it is none, or has enough to do. */
  find(id: string): Neighbour | undefined {
    const neighbour = this.#known.get(id);
    return neighbour?.isFree === true ? neighbour : undefined;
  }

  /** It answered on this connection. Both ends have one address when one kernel has both, which tells when a process ends. */
  meet(
    member: FleetMember,
    { localAddress, remoteAddress }: Partial<Pick<Socket, 'localAddress' | 'remoteAddress'>>,
    others: readonly FleetMember[],
  ): void {
    if (localAddress === undefined || localAddress !== remoteAddress || this.#known.has(member.id)) return;
    for (const id of this.#known.keys()) if (!others.some((other) => other.id === id)) this.forget(id);
    this.#known.set(member.id, new Neighbour(member));
  }

  /** Requests in flight continue; its connections are closed when they are idle. */
  forget(id: string): void {
    this.#known.delete(id);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#known.values()].map((neighbour) => neighbour.close()));
  }
}
