import { setTimeout } from 'node:timers/promises';
import type { Server } from '@plugboard/contract';
import type { CatalogueSource } from '../catalogue/catalogue-source.js';
import type { Scope } from '../../call/scope.js';

export interface FirstListsOptions {
  readonly catalogue: CatalogueSource;
  /** How long after a server was first met without a list somebody waits for it. */
  readonly waitMs?: Readonly<Record<Scope['kind'], number>> | undefined;
}

/** At an endpoint of several servers a slow one must not keep the others' tools back for long. */
const DEFAULT_WAIT_MS = { server: 10_000, merged: 2000 } as const;
const LOOK_MS = 25;
const MAX_MET = 10_000;

type Asked = Pick<Scope, 'kind' | 'servers'>;

/** Servers whose tools were never read are waited for, once and for a bounded time, instead of being shown empty. */
export class FirstLists {
  readonly #catalogue: CatalogueSource;
  readonly #waitMs: Readonly<Record<Scope['kind'], number>>;
  /** When a server was first met without a list. */
  readonly #met = new Map<string, number>();

  constructor({ catalogue, waitMs = DEFAULT_WAIT_MS }: FirstListsOptions) {
    this.#catalogue = catalogue;
    this.#waitMs = waitMs;
  }

  /** Is there a server behind the endpoint that is still worth waiting for? */
  isDue({ kind, servers }: Asked): boolean {
    return servers().some((server) => this.#isAwaited(server, this.#waitMs[kind]));
  }

  async settle(asked: Asked, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.isDue(asked)) {
      await setTimeout(LOOK_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  #isAwaited({ id, last_sync }: Server, waitMs: number): boolean {
    if (last_sync !== null || this.#catalogue.status(id).state !== 'unknown') return false;
    const met = this.#met.get(id) ?? performance.now();
    if (!this.#met.has(id)) {
      if (this.#met.size >= MAX_MET) this.#met.clear();
      this.#met.set(id, met);
    }
    return performance.now() - met < waitMs;
  }
}
