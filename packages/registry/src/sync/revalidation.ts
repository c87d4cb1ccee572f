import type { Server, ServerId } from '@plugboard/contract';
import type { Catalogue } from '../catalogue/catalogue.js';
import type { Clock } from '../port/clock.js';
import type { ServerReach } from '../port/server-reach.js';
import type { Syncs } from './syncs.js';

export interface RevalidationOptions {
  readonly catalogue: Catalogue;
  readonly syncs: Pick<Syncs, 'inBackground' | 'notice' | 'isRunning'>;
  readonly reach: ServerReach;
  readonly clock: Clock;
  /** After so long a list is read again; 0 for never. */
  readonly everyMs: number;
  /** Of several processes one looks at the age of lists. */
  readonly isLeader?: (() => boolean) | undefined;
}

const MAX_LOOK_MS = 5000;
/** A program that nobody uses has to be started to be asked, so it is asked less often. */
const STDIO_FACTOR = 4;
/** No list is read more often than this, whatever the server says of its freshness. */
const MIN_FRESH_MS = 10_000;
/** A server that is met again so long after its list was read may be another one. */
const MET_AGAIN_MS = 30_000;

/**
 * Notices servers that were replaced without a word: their lists are read again after a start of the hub, when a new
 * session with them is opened, when they introduce themselves differently, and at the latest after an interval, or
 * after the time for which they said that their list is fresh.
 */
export class Revalidation {
  readonly #options: RevalidationOptions;
  readonly #startedAt: number;
  /** When a server was last asked because of its age. */
  readonly #asked = new Map<ServerId, number>();
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #stopListening: (() => void) | undefined;

  constructor(options: RevalidationOptions) {
    this.#options = options;
    this.#startedAt = options.clock.now();
    if (options.everyMs <= 0) return;
    this.#timer = setInterval(() => this.#look(), Math.min(MAX_LOOK_MS, options.everyMs));
    this.#timer.unref();
    this.#stopListening = options.reach.onOpened?.((id, isAnother) => this.#met(id, isAnother));
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#stopListening?.();
  }

  #look(): void {
    if (this.#options.isLeader?.() === false) return;
    const now = this.#options.clock.now();
    const servers = this.#options.catalogue.all().map(({ stored }) => stored.server);
    const ids = new Set(servers.map(({ id }) => id));
    for (const id of this.#asked.keys()) if (!ids.has(id)) this.#asked.delete(id);
    const due = servers.filter((server) => this.#isDue(server, now)).map(({ id }) => id);
    for (const id of due) this.#asked.set(id, now);
    this.#options.syncs.inBackground(due);
  }

  #isDue({ id, enabled, config, last_sync }: Server, now: number): boolean {
    if (!enabled || last_sync === null) return false;
    const readAt = Date.parse(last_sync.at);
    const askedAt = this.#asked.get(id);
    if (readAt < this.#startedAt && askedAt === undefined) return true;
    return now - Math.max(readAt, askedAt ?? 0) >= this.#freshMs(id, config.mcp_server_type === 'stdio');
  }

  #freshMs(id: ServerId, isStdio: boolean): number {
    const { everyMs, reach } = this.#options;
    const told = reach.toolsTtlMs?.(id) ?? 0;
    if (told > 0) return Math.min(Math.max(told, MIN_FRESH_MS), everyMs);
    return isStdio ? everyMs * STDIO_FACTOR : everyMs;
  }

  #met(id: ServerId, isAnother: boolean): void {
    const { catalogue, clock, syncs } = this.#options;
    const lastSync = catalogue.get(id)?.stored.server.last_sync;
    if (lastSync === undefined || lastSync === null || syncs.isRunning(id)) return;
    if (isAnother || clock.now() - Date.parse(lastSync.at) >= MET_AGAIN_MS) syncs.notice(id);
  }
}
