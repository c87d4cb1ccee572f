import { randomUUID } from 'node:crypto';
import {
  PlugboardError,
  toPlugboardError,
  type ApiKey,
  type ApiKeyCreate,
  type ApiKeyCreated,
  type KeyPurge,
  type PageQuery,
  type Principal,
} from '@plugboard/contract';
import { paged } from '../store/paged.js';
import { isoTime, type Clock } from '../port/clock.js';
import type { Log } from '../port/log.js';
import type { KeyStore, StoredKey } from '../store/key-store.js';
import { Recent } from '../cache/recent.js';
import { hashToken, makeToken, prefixOf, sameHash } from './key-token.js';

export interface ApiKeysParts {
  readonly store: KeyStore;
  readonly clock: Clock;
  readonly log: Log;
  /** Rejects when there is no such agent. */
  readonly requireAgent: (id: string) => Promise<unknown>;
  /** A key opens nothing any more. */
  readonly onRevoke?: ((key: ApiKey) => Promise<void>) | undefined;
}

const MAX_AGE_MS = 2000;
const NOTE_USE_EVERY_MS = 60_000;

/** Said when it happens: nothing else tells clients that worked a moment ago why they are refused. */
const FIRST_KEY =
  'This is the first key: from now on the hub rejects MCP clients and scripts without a key. Give each of them a key. To allow access without a key again, revoke and delete all keys (DELETE /v1/keys, plugboard key purge).';

const unknownKey = (): PlugboardError =>
  new PlugboardError('UNAUTHENTICATED', 'The hub does not know this key.', {
    hint: {
      api: 'An admin creates keys with POST /v1/keys. Send one as "Authorization: Bearer pb_…".',
      cli: "Create one with `plugboard key create` on the hub's machine, and set PLUGBOARD_API_KEY.",
    },
  });

const notFound = (id: string): PlugboardError =>
  new PlugboardError('NOT_FOUND', 'The key does not exist.', {
    hint: { api: 'GET /v1/keys lists the keys.', cli: '`plugboard key list` shows the keys.' },
    details: { id: id.slice(0, 128) },
  });

const assertValid = ({ expires_at, revoked_at }: ApiKey, now: number): void => {
  if (revoked_at !== null) {
    throw new PlugboardError('UNAUTHENTICATED', 'This key was revoked.', { hint: 'Ask for another key.' });
  }
  if (expires_at !== null && Date.parse(expires_at) <= now) {
    throw new PlugboardError('UNAUTHENTICATED', 'This key has expired.', { hint: 'Ask for another key.' });
  }
};

const principalOf = ({ id, role, agent_id, server_ids }: ApiKey): Principal => ({
  id,
  role,
  ...(agent_id === null ? {} : { agent: agent_id }),
  ...(server_ids === null ? {} : { servers: server_ids }),
});

const byPrefix = (stored: readonly StoredKey[]): ReadonlyMap<string, StoredKey> =>
  new Map(stored.map((entry) => [entry.key.prefix, entry]));

/** Keys to the hub, checked in memory: another process learns of a revocation within seconds, this one at once. */
export class ApiKeys {
  readonly #parts: ApiKeysParts;
  readonly #known: Recent<ReadonlyMap<string, StoredKey>>;
  readonly #usesNoted = new Map<string, number>();

  constructor(parts: ApiKeysParts) {
    this.#parts = parts;
    this.#known = new Recent({
      load: async () => byPrefix(await parts.store.all()),
      clock: parts.clock,
      maxAgeMs: MAX_AGE_MS,
    });
  }

  async list(page?: PageQuery): Promise<readonly ApiKey[]> {
    const known = await this.#known.reload();
    return paged(
      [...known.values()].map(({ key }) => key),
      page,
    );
  }

  /** The answer is the only place where the key itself is ever shown. */
  async create(input: ApiKeyCreate): Promise<ApiKeyCreated> {
    if (typeof input.agent_id === 'string') await this.#parts.requireAgent(input.agent_id);
    const { token, prefix, hash } = makeToken();
    const key: ApiKey = {
      id: `key-${randomUUID()}`,
      name: input.name,
      role: input.role ?? 'agent',
      agent_id: input.agent_id ?? null,
      server_ids: input.server_ids ?? null,
      prefix,
      created_at: isoTime(this.#parts.clock.now()),
      expires_at: input.expires_at ?? null,
      last_used_at: null,
      revoked_at: null,
    };
    const wasFirst = (await this.#known.reload()).size === 0;
    await this.#parts.store.insert({ key, hash });
    await this.#known.reload();
    if (wasFirst) this.#parts.log.warn(FIRST_KEY);
    return { ...key, key: token, ...(wasFirst ? { notice: FIRST_KEY } : {}) };
  }

  /** From now on the key opens nothing. Rejects with NOT_FOUND. */
  async revoke(id: string): Promise<ApiKey> {
    const at = isoTime(this.#parts.clock.now());
    if (!(await this.#parts.store.revoke(id as ApiKey['id'], at))) throw notFound(id);
    const known = await this.#known.reload();
    const revoked = [...known.values()].find(({ key }) => key.id === id);
    if (revoked === undefined) throw notFound(id);
    await this.#parts.onRevoke?.(revoked.key);
    return revoked.key;
  }

  /** Deletes keys that open nothing any more. When none is left, keys are demanded only if the settings say so. */
  async purge(): Promise<KeyPurge> {
    const deleted = await this.#parts.store.deleteEnded(isoTime(this.#parts.clock.now()));
    const known = await this.#known.reload();
    if (deleted > 0 && known.size === 0) {
      this.#parts.log.warn('The last key was deleted. Callers now need a key only if the settings require one.');
    }
    return { deleted, left: known.size };
  }

  /** Whose key this is. Rejects with UNAUTHENTICATED when it is unknown, expired or revoked. */
  async authenticate(token: string): Promise<Principal> {
    const prefix = prefixOf(token);
    const known = await this.#known.get();
    const stored = prefix === undefined ? undefined : known.get(prefix);
    // The hash is compared also when nothing was found, so that both take the same time.
    const matches = sameHash(hashToken(token), stored?.hash ?? hashToken(''));
    if (stored === undefined || !matches) throw unknownKey();
    const now = this.#parts.clock.now();
    assertValid(stored.key, now);
    this.#noteUse(stored.key, now);
    return principalOf(stored.key);
  }

  /** Reads the keys again: another process changed them. */
  async refresh(): Promise<void> {
    await this.#known.reload();
  }

  /** Was a key ever made? From then on, keys are demanded. */
  exist(): boolean | Promise<boolean> {
    const known = this.#known.get();
    return known instanceof Promise ? known.then(({ size }) => size > 0) : known.size > 0;
  }

  #noteUse({ id }: ApiKey, now: number): void {
    if (now - (this.#usesNoted.get(id) ?? 0) < NOTE_USE_EVERY_MS) return;
    this.#usesNoted.set(id, now);
    this.#parts.store.noteUse(id, isoTime(now)).catch((thrown: unknown) => {
      const { code } = toPlugboardError(thrown);
      this.#parts.log.warn('The last use of a key could not be recorded.', { key_id: id, code });
    });
  }
}
