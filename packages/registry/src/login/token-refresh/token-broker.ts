import { setTimeout } from 'node:timers/promises';
import { SingleFlight } from '@plugboard/base';
import {
  PlugboardError,
  toPlugboardError,
  type OAuthProtocol,
  type OAuthSettings,
  type RegisteredClient,
  type TokenSet,
} from '@plugboard/contract';
import type { Clock } from '../../port/clock.js';
import type { Log } from '../../port/log.js';
import type { CredentialKey, OAuthStore, StoredCredential } from '../../store/oauth-store.js';
import { cancellable } from '../../wait/cancellable.js';
import { oauthFailureKind } from './oauth-failure-kind.js';
import { soon } from '../../cache/soon.js';

export interface TokenBrokerOptions {
  readonly store: OAuthStore;
  readonly protocol: OAuthProtocol;
  readonly clock: Clock;
  readonly log: Log;
  /** Names this process among those that share the store. */
  readonly holder: string;
  readonly onRenewed?: ((credential: StoredCredential) => void) | undefined;
  /** How long one renewal may take. The lease lasts longer, so that nobody begins a second one meanwhile. */
  readonly renewalMs?: number | undefined;
  /** How often a process looks whether another one has finished. */
  readonly lookMs?: number | undefined;
}

/** Whose token is wanted, with the settings of the server as they are now. */
export interface TokenUse {
  readonly key: CredentialKey;
  readonly settings?: OAuthSettings | undefined;
}

const RENEWAL_MS = 20_000;
const LEASE_MARGIN_MS = 10_000;
const LOOK_MS = 100;
/** Tokens are renewed this long before they run out, or after nine tenths of a short life. */
const EARLY_MS = 60_000;

/** Another process may have brought what was missing a moment ago. */
const MISSING_MS = 2000;
const MAX_HELD = 10_000;

/** What was read last, and when. */
interface Held {
  readonly credential: StoredCredential | undefined;
  readonly at: number;
}

const keyText = ({ owner, principal }: CredentialKey): string => JSON.stringify([owner, principal]);

const slow = (): PlugboardError =>
  new PlugboardError('AUTH_SERVER_UNAVAILABLE', 'Another process has been refreshing the token for too long.', {
    hint: 'Try again later.',
  });

/**
 * Hands out access tokens and renews them: before they run out, and when a server refuses them. One credential is
 * renewed by one process at a time, however many ask, because a refresh token that is used twice ends the login.
 */
export class TokenBroker {
  readonly #options: TokenBrokerOptions;
  readonly #held = new Map<string, Held>();
  readonly #renewals = new SingleFlight<StoredCredential | undefined>();

  constructor(options: TokenBrokerOptions) {
    this.#options = options;
  }

  /** The token to send, refreshed if necessary; undefined without one. */
  async usable({ key, settings }: TokenUse, signal: AbortSignal): Promise<StoredCredential | undefined> {
    const held = await this.known(key);
    if (held?.tokens === undefined) return undefined;
    const left = this.#left(held.tokens);
    if (left > this.#early(held)) return held;
    const renewal = this.renew(held, settings);
    if (left > 0) {
      // It is still valid; the next caller gets the new one.
      renewal.catch((thrown: unknown) => this.#report(thrown));
      return held;
    }
    const renewed = await cancellable(renewal, signal);
    return renewed?.tokens === undefined ? undefined : renewed;
  }

  /** What is remembered, or what the store holds: fresh tokens matter when they are used, and missing ones soon. */
  async known(key: CredentialKey): Promise<StoredCredential | undefined> {
    const known = this.#held.get(keyText(key));
    if (known === undefined) return this.read(key);
    if (known.credential !== undefined || this.#age(known) <= MISSING_MS) return known.credential;
    // Nobody else asks meanwhile, and a store that does not answer stops no call: what is missing stays missing.
    this.#remember(key, known.credential);
    return (await soon(this.read(key)))?.value;
  }

  /** What the store holds now, whatever is remembered. */
  async read(key: CredentialKey): Promise<StoredCredential | undefined> {
    return this.#remember(key, await this.#options.store.credential(key));
  }

  hasExpired(tokens: TokenSet): boolean {
    return this.#left(tokens) <= 0;
  }

  /** Another process changed the credential: the next use reads it again. */
  forget(key: CredentialKey): void {
    this.#held.delete(keyText(key));
  }

  /** The credential after one renewal of that version, by whichever process; its tokens are gone when the login is over. */
  renew(held: StoredCredential, settings?: OAuthSettings): Promise<StoredCredential | undefined> {
    if (held.grant === 'authorization_code' && held.tokens?.refreshToken === undefined) return Promise.resolve(held);
    return this.#renewals.run(keyText(held.key), () => this.#renew(held, settings));
  }

  close(): Promise<void> {
    return this.#renewals.allSettled();
  }

  async #renew(held: StoredCredential, settings: OAuthSettings | undefined): Promise<StoredCredential | undefined> {
    const { store, holder } = this.#options;
    const { key } = held;
    const newer = await this.#leaseOrNewer(held);
    if (newer !== 'leased') return this.#remember(key, newer);
    try {
      const current = await store.credential(key);
      if (current === undefined || current.version !== held.version) return this.#remember(key, current);
      return this.#remember(key, await this.#exchange(current, settings));
    } finally {
      await store.releaseLease(key, holder);
    }
  }

  /** Waits for the right to renew, or for somebody else's renewal. */
  async #leaseOrNewer(held: StoredCredential): Promise<'leased' | StoredCredential | undefined> {
    const { store, clock, holder } = this.#options;
    const leaseMs = this.#renewalMs() + LEASE_MARGIN_MS;
    const giveUpAt = clock.now() + leaseMs * 2;
    for (;;) {
      if (await store.lease(held.key, { holder, ttlMs: leaseMs })) return 'leased';
      const current = await store.credential(held.key);
      if (current === undefined || current.version !== held.version) return current;
      if (clock.now() > giveUpAt) throw slow();
      await setTimeout(this.#options.lookMs ?? LOOK_MS);
    }
  }

  async #exchange(held: StoredCredential, settings: OAuthSettings | undefined): Promise<StoredCredential | undefined> {
    const { store, clock } = this.#options;
    try {
      const tokens = await this.#newTokens(held, settings);
      const stored = await store.replaceTokens(held.key, held.version, { tokens, at: clock.now() });
      if (stored !== undefined) this.#options.onRenewed?.(stored);
      // A new login came in between: its tokens are the ones that count.
      return stored ?? (await store.credential(held.key));
    } catch (thrown) {
      return this.#afterFailure(held, thrown);
    }
  }

  /** Only a clear word of the authorization server ends a login; whatever may pass leaves it as it is. */
  async #afterFailure(held: StoredCredential, thrown: unknown): Promise<StoredCredential | undefined> {
    const { store, clock, log } = this.#options;
    const { issuer } = held.authorization.metadata;
    const kind = oauthFailureKind(thrown);
    const forgotten = kind === 'invalid-client' && held.client.source === 'registered';
    if (kind !== 'invalid-grant' && !forgotten) throw thrown;
    if (forgotten) await store.deleteClients(issuer);
    log.warn('A login to a server has ended: its authorization server rejected the refresh token.', {
      owner: held.key.owner,
      issuer,
    });
    const change = { tokens: undefined, ended: 'revoked', at: clock.now() } as const;
    return (await store.replaceTokens(held.key, held.version, change)) ?? (await store.credential(held.key));
  }

  /** A client that was entered by hand is used as it is entered now, so that correcting it is enough. */
  async #client(
    { client, authorization }: StoredCredential,
    settings: OAuthSettings | undefined,
    signal: AbortSignal,
  ): Promise<RegisteredClient> {
    if (client.source !== 'configured' || (settings?.client_id ?? null) === null) return client;
    const { metadata } = authorization;
    return this.#options.protocol.obtainClient({ metadata, settings, redirectUri: '', clientName: '' }, signal);
  }

  async #newTokens(held: StoredCredential, settings: OAuthSettings | undefined): Promise<TokenSet> {
    const { protocol } = this.#options;
    const { authorization, sendResource, scope, tokens } = held;
    const signal = AbortSignal.timeout(this.#renewalMs());
    const question = {
      metadata: authorization.metadata,
      client: await this.#client(held, settings, signal),
      ...(sendResource ? { resource: authorization.resource } : {}),
    };
    const refreshToken = tokens?.refreshToken;
    return held.grant === 'client_credentials' || refreshToken === undefined
      ? protocol.clientCredentials({ ...question, scope }, signal)
      : protocol.refresh({ ...question, refreshToken }, signal);
  }

  #remember(key: CredentialKey, credential: StoredCredential | undefined): StoredCredential | undefined {
    if (this.#held.size >= MAX_HELD) this.#held.clear();
    this.#held.set(keyText(key), { credential, at: this.#options.clock.now() });
    return credential;
  }

  #age({ at }: Held): number {
    return this.#options.clock.now() - at;
  }

  #left({ expiresAt }: TokenSet): number {
    return expiresAt === undefined ? Number.POSITIVE_INFINITY : expiresAt - this.#options.clock.now();
  }

  #early({ tokens, updatedAt }: StoredCredential): number {
    const lifetime = tokens?.expiresAt === undefined ? 0 : tokens.expiresAt - updatedAt;
    return Math.min(EARLY_MS, lifetime / 10);
  }

  #renewalMs(): number {
    return this.#options.renewalMs ?? RENEWAL_MS;
  }

  #report(thrown: unknown): void {
    const { code, message } = toPlugboardError(thrown);
    this.#options.log.warn('A token could not be refreshed early; it is still valid for now.', {
      code,
      reason: message,
    });
  }
}
