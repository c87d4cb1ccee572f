import { SingleFlight } from '@plugboard/base';
import { PlugboardError, toPlugboardError, type ErrorCode, type OAuthSession } from '@plugboard/contract';
import type { StoredCredential } from '../store/oauth-store.js';
import { cancellable } from '../wait/cancellable.js';
import type { LoginDesk, LoginTarget } from './login-desk.js';
import { oauthFailureKind } from './token-refresh/oauth-failure-kind.js';
import type { TokenBroker } from './token-refresh/token-broker.js';

/** A request that a server refused. */
export interface RefusedRequest {
  readonly challenge: string | undefined;
  /** The fields that it carried. */
  readonly sent: Readonly<Record<string, string>>;
}

/** What a client of a server asks for its credentials. */
export interface ServerCredentials {
  headers(signal: AbortSignal): Promise<Readonly<Record<string, string>>>;
  refresh(challenge: string | undefined, signal: AbortSignal, refusal: RefusedRequest): Promise<boolean>;
  stepUp(refusal: RefusedRequest, signal: AbortSignal): Promise<boolean>;
  rejected(refusal: RefusedRequest, signal: AbortSignal): Promise<void>;
}

export interface OAuthCredentialsOptions {
  /** What the user logs in to. */
  readonly target: () => LoginTarget | undefined;
  /** The same with the login of the hub, for a user who may borrow it. */
  readonly borrowed?: (() => LoginTarget | undefined) | undefined;
  readonly broker: TokenBroker;
  readonly desk: LoginDesk;
  readonly startLogin: (
    target: LoginTarget,
    challenge: string | undefined,
    signal: AbortSignal,
  ) => Promise<OAuthSession>;
  readonly onLoginNeeded: (target: LoginTarget, reason: string) => void;
}

type Reason = 'missing' | 'expired' | 'revoked' | 'refused' | 'scope';

const CODE_OF: Readonly<Record<Reason, ErrorCode>> = {
  missing: 'AUTH_REQUIRED',
  expired: 'UPSTREAM_AUTH_EXPIRED',
  revoked: 'UPSTREAM_AUTH_REVOKED',
  refused: 'AUTH_REQUIRED',
  scope: 'AUTH_REQUIRED',
};

const WORDS: Readonly<Record<Reason, (name: string) => string>> = {
  missing: (name) => `The server "${name}" requires a login.`,
  expired: (name) => `The login to the server "${name}" has expired.`,
  revoked: (name) => `The login to the server "${name}" was revoked.`,
  refused: (name) => `The server "${name}" refuses the token that its authorization server issued.`,
  scope: (name) => `The server "${name}" requires a login with more scopes.`,
};

/** The login that serves a user, and what the user would log in to. */
interface Serving {
  readonly own: LoginTarget;
  readonly source: LoginTarget;
  readonly held: StoredCredential | undefined;
}

/** Is it a login to that address, as the client that is configured now? A token for somebody else is never sent. */
const isFor = ({ serverUrl, settings }: LoginTarget, held: StoredCredential | undefined): boolean =>
  held?.serverUrl === serverUrl &&
  (settings?.grant !== 'client_credentials' || held.client.clientId === settings.client_id);

const bearer = (token: string): string => `Bearer ${token}`;

/** The OAuth tokens of one server for one user, as the client of that server uses them. */
export class OAuthCredentials implements ServerCredentials {
  readonly #options: OAuthCredentialsOptions;
  readonly #own = new SingleFlight<StoredCredential>();

  constructor(options: OAuthCredentialsOptions) {
    this.#options = options;
  }

  async headers(signal: AbortSignal): Promise<Readonly<Record<string, string>>> {
    const { broker } = this.#options;
    const serving = await this.#serving((key) => broker.known(key));
    if (serving?.held?.tokens === undefined) return {};
    const usable = await broker.usable(serving.source, signal);
    return usable?.tokens === undefined ? {} : { authorization: bearer(usable.tokens.accessToken) };
  }

  async refresh(challenge: string | undefined, signal: AbortSignal, refusal: RefusedRequest): Promise<boolean> {
    const serving = await this.#inStore();
    if (serving === undefined) return false;
    const { own, source, held } = serving;
    if (this.#isNew(held, refusal)) return true;
    if (own.settings?.grant === 'client_credentials') {
      await cancellable(this.#ownToken(own, challenge), signal);
      return true;
    }
    if (held?.tokens?.refreshToken !== undefined) {
      const renewed = await cancellable(this.#options.broker.renew(held, source.settings), signal);
      if (this.#isNew(renewed, refusal)) return true;
      return this.#needLogin(own, 'revoked', { challenge, signal });
    }
    return this.#needLogin(own, this.#reasonFor(held), { challenge, signal });
  }

  async stepUp({ challenge }: RefusedRequest, signal: AbortSignal): Promise<boolean> {
    const { own, held } = (await this.#inStore()) ?? {};
    if (own === undefined || held?.tokens === undefined) return false;
    const scope = this.#options.desk.widerScope(held, challenge);
    // What was asked for already will not be granted by asking again.
    if (scope === undefined) return false;
    if (held.grant === 'client_credentials') {
      await cancellable(this.#ownToken(own, challenge, scope), signal);
      return true;
    }
    return this.#needLogin(own, 'scope', { challenge, signal });
  }

  async rejected({ challenge, sent }: RefusedRequest, signal: AbortSignal): Promise<void> {
    const target = this.#options.target();
    if (target === undefined || target.settings?.grant === 'client_credentials') return;
    if (sent['authorization'] !== undefined && this.#isScope(challenge)) return;
    await this.#needLogin(target, 'refused', { challenge, signal });
  }

  /** As the store has it: another process may have renewed it. */
  #inStore(): Promise<Serving | undefined> {
    return this.#serving((key) => this.#options.broker.read(key));
  }

  /** The user's own login where there is one, also one that is over; else one that may be borrowed. */
  async #serving(look: TokenBroker['read']): Promise<Serving | undefined> {
    const own = this.#options.target();
    if (own === undefined) return undefined;
    const ofUser = await look(own.key);
    if (isFor(own, ofUser)) return { own, source: own, held: ofUser };
    const source = this.#options.borrowed?.();
    const ofHub = source === undefined ? undefined : await look(source.key);
    if (source === undefined || ofHub?.serverUrl !== own.serverUrl) return { own, source: own, held: undefined };
    return { own, source, held: ofHub };
  }

  #isNew(held: StoredCredential | undefined, { sent }: RefusedRequest): boolean {
    return held?.tokens !== undefined && bearer(held.tokens.accessToken) !== sent['authorization'];
  }

  /** Refused before its time, a token was taken back; after it, or when its time is not known, it has run out. */
  #reasonFor(held: StoredCredential | undefined): Reason {
    if (held === undefined) return 'missing';
    if (held.tokens === undefined) return held.ended ?? 'revoked';
    return held.tokens.expiresAt !== undefined && !this.#options.broker.hasExpired(held.tokens) ? 'revoked' : 'expired';
  }

  #isScope(challenge: string | undefined): boolean {
    return challenge?.includes('insufficient_scope') === true;
  }

  #ownToken(target: LoginTarget, challenge: string | undefined, scope?: string): Promise<StoredCredential> {
    return this.#own.run(scope ?? '', async () => {
      const credential = await this.#options.desk.ownCredential(target, challenge, scope);
      this.#options.broker.forget(target.key);
      return credential;
    });
  }

  /** Throws what a person has to do. False when the server offers no login at all: then its own answer says enough. */
  async #needLogin(
    target: LoginTarget,
    reason: Reason,
    { challenge, signal }: { readonly challenge: string | undefined; readonly signal: AbortSignal },
  ): Promise<false> {
    const { serverName: name } = target;
    const session = await this.#login(target, challenge, signal);
    if (session === undefined) return false;
    this.#options.onLoginNeeded(target, reason);
    throw new PlugboardError(CODE_OF[reason], WORDS[reason](name), {
      hint: {
        api: 'Open the authorization_url in a browser, log in, then try again.',
        cli: `Log in: plugboard login ${name}. Then try again.`,
      },
      details: {
        server: name,
        reason,
        authorization_url: session.authorization_url,
        session_id: session.id,
        expires_at: session.expires_at,
        ...(session.scope === undefined ? {} : { scope: session.scope }),
      },
    });
  }

  async #login(
    target: LoginTarget,
    challenge: string | undefined,
    signal: AbortSignal,
  ): Promise<OAuthSession | undefined> {
    try {
      return await this.#options.startLogin(target, challenge, signal);
    } catch (thrown) {
      const advertised = /\bresource_metadata\b/iu.test(challenge ?? '');
      if (oauthFailureKind(thrown) === 'unsupported' && !advertised) return undefined;
      throw toPlugboardError(thrown);
    }
  }
}
