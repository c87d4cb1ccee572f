import { createHash, randomBytes } from 'node:crypto';
import { Secret } from '@plugboard/contract';

export interface SignInLinksOptions {
  readonly now: () => number;
  /** What a browser that follows a link is signed in with. */
  readonly key: string;
  /** How long a link can be used. */
  readonly lifeMs?: number | undefined;
}

const LIFE_MS = 10 * 60_000;
const MAX_LINKS = 32;

const keyOf = (secret: string): string => createHash('sha256').update(secret).digest('base64');

/**
 * Links that sign a browser on this machine in, each once and for a short time. The secret stands behind the # of the
 * URL, which browsers send to nobody, so it is in no log. Only its hash is kept.
 */
export class SignInLinks {
  readonly #options: SignInLinksOptions;
  readonly #key: Secret;
  readonly #expiry = new Map<string, number>();

  constructor(options: SignInLinksOptions) {
    this.#options = options;
    this.#key = Secret.of(options.key);
  }

  /** The secret of a new link. */
  open(): string {
    const secret = randomBytes(32).toString('base64url');
    const oldest = this.#expiry.keys().next();
    if (this.#expiry.size >= MAX_LINKS && oldest.done !== true) this.#expiry.delete(oldest.value);
    this.#expiry.set(keyOf(secret), this.#options.now() + (this.#options.lifeMs ?? LIFE_MS));
    return secret;
  }

  /** The key to sign in with; undefined for a link that was used, has expired or was never there. */
  redeem(secret: string): string | undefined {
    const key = keyOf(secret);
    const expiresAt = this.#expiry.get(key);
    this.#expiry.delete(key);
    return expiresAt !== undefined && this.#options.now() < expiresAt ? this.#key.reveal() : undefined;
  }
}
