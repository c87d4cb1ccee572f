import { createHash } from 'node:crypto';
import { collectBytes, isJsonObject, tryJson } from '@plugboard/base';
import { PlugboardError, type Principal, toPlugboardError } from '@plugboard/contract';
import type { IntrospectionSettings, TokenSettings } from '../../settings/access-settings.js';
import type { VerifyToken } from './access-gate.js';
import { principalOfClaims, refusedToken, textOf, type TokenClaims } from './token-claims.js';
import type { DocumentFetch } from './token-verifier.js';

export interface IntrospectionParts {
  readonly settings: TokenSettings & { readonly introspection: IntrospectionSettings };
  readonly fetch: DocumentFetch;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

interface Remembered {
  readonly until: number;
  /** Undefined for a token that was no good. */
  readonly principal: Principal | undefined;
}

const ANSWER_MS = 5000;
const MAX_ANSWER_BYTES = 65_536;
const MAX_REMEMBERED = 10_000;
const MAX_AT_ONCE = 32;
/** A token that is no good may be asked about again soon: it may not be known everywhere yet. */
const REFUSED_MS = 5000;

const unavailable = (message: string, cause?: unknown): PlugboardError =>
  new PlugboardError('AUTH_SERVER_UNAVAILABLE', message, {
    hint: 'Try again later. The "access" setting has the introspection endpoint.',
    retryAfterMs: 5000,
    cause,
  });

const inactive = (): PlugboardError => refusedToken('The token is not valid.');

/** RFC 6749 §2.3.1: both are encoded as in a form before they are joined. */
const basic = (clientId: string, secret: string): string => {
  const encoded = [clientId, secret].map((part) => new URLSearchParams({ '': part }).toString().slice(1));
  return `Basic ${Buffer.from(encoded.join(':')).toString('base64')}`;
};

const readAnswer = async (response: Response): Promise<TokenClaims> => {
  const refused = (): PlugboardError =>
    unavailable(`The introspection endpoint answered with status ${response.status}.`);
  const bytes = await collectBytes(response.body, { maxBytes: MAX_ANSWER_BYTES, tooLarge: refused });
  if (response.status !== 200) throw refused();
  const answer = tryJson(bytes.toString('utf8'));
  if (answer === undefined) throw unavailable('The introspection endpoint did not answer with JSON.');
  if (!isJsonObject(answer)) throw unavailable('The introspection endpoint did not answer with an object.');
  return answer;
};

const includes = (claim: unknown, wanted: string): boolean => [claim].flat().includes(wanted);

/** Asks the authorization server about opaque tokens (RFC 7662). What it does not vouch for is refused. */
export class Introspection {
  readonly #parts: IntrospectionParts;
  readonly #remembered = new Map<string, Remembered>();
  readonly #asking = new Map<string, Promise<Principal>>();

  constructor(parts: IntrospectionParts) {
    this.#parts = parts;
  }

  readonly verify: VerifyToken = async (token) => {
    const key = createHash('sha256').update(token).digest('base64');
    const known = this.#remembered.get(key);
    if (known !== undefined && known.until > this.#parts.now()) {
      if (known.principal === undefined) throw inactive();
      return known.principal;
    }
    const asked = this.#asking.get(key);
    if (asked !== undefined) return asked;
    // Invented tokens must not make us flood the authorization server.
    if (this.#asking.size >= MAX_AT_ONCE) throw unavailable('Too many tokens are being introspected.');
    const asking = this.#learn(token, key).finally(() => this.#asking.delete(key));
    this.#asking.set(key, asking);
    return asking;
  };

  async #learn(token: string, key: string): Promise<Principal> {
    const { now, settings } = this.#parts;
    try {
      const claims = await this.#ask(token);
      const principal = this.#judge(claims);
      const expiry = typeof claims['exp'] === 'number' ? claims['exp'] * 1000 : Number.POSITIVE_INFINITY;
      const until = Math.min(expiry, now() + settings.introspection.cacheSeconds * 1000);
      this.#remember(key, { until, principal });
      return principal;
    } catch (thrown) {
      if (toPlugboardError(thrown).code === 'UNAUTHENTICATED') {
        this.#remember(key, { until: now() + REFUSED_MS, principal: undefined });
      }
      throw thrown;
    }
  }

  async #ask(token: string): Promise<TokenClaims> {
    const { endpoint, clientId, clientSecret } = this.#parts.settings.introspection;
    try {
      const response = await this.#parts.fetch(endpoint, {
        method: 'POST',
        headers: {
          authorization: basic(clientId, clientSecret.reveal()),
          accept: 'application/json',
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: new URLSearchParams({ token, token_type_hint: 'access_token' }).toString(),
        signal: AbortSignal.timeout(ANSWER_MS),
        redirect: 'manual',
      });
      return await readAnswer(response);
    } catch (thrown) {
      if (thrown instanceof PlugboardError && thrown.code !== 'INTERNAL') throw thrown;
      throw unavailable('The introspection endpoint cannot be reached.', thrown);
    }
  }

  /** A token for somebody else is worth nothing here, and neither is one that does not say whom it is for. */
  #judge(claims: TokenClaims): Principal {
    const { issuer, audience, clockSkewSeconds } = this.#parts.settings;
    if (claims['active'] !== true) throw inactive();
    const now = this.#parts.now() / 1000;
    if (typeof claims['exp'] === 'number' && claims['exp'] <= now - clockSkewSeconds) {
      throw refusedToken('The token has expired.');
    }
    if (typeof claims['nbf'] === 'number' && claims['nbf'] > now + clockSkewSeconds) throw inactive();
    if (claims['iss'] !== undefined && claims['iss'] !== issuer) throw this.#foreign('iss');
    if (!includes(claims['aud'], audience)) throw this.#foreign('aud');
    const client = textOf(claims['client_id']);
    const subject = textOf(claims['sub']) ?? (client === undefined ? undefined : `client ${client}`);
    if (subject === undefined) throw refusedToken('The token has no subject (sub).');
    return principalOfClaims(claims, subject, this.#parts.settings);
  }

  #foreign(claim: string): PlugboardError {
    return refusedToken(`The token is not for this hub: its claim "${claim}" does not fit.`);
  }

  #remember(key: string, remembered: Remembered): void {
    this.#remembered.delete(key);
    const oldest = this.#remembered.keys().next();
    if (this.#remembered.size >= MAX_REMEMBERED && oldest.done !== true) this.#remembered.delete(oldest.value);
    this.#remembered.set(key, remembered);
  }
}
