import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const LOOKUP_BYTES = 6;
const SECRET_BYTES = 32;
const TOKEN = /^(?<prefix>pb_[0-9a-f]{12})_[A-Za-z0-9_-]{43}$/u;

export interface KeyToken {
  /** The key itself. */
  readonly token: string;
  /** How it begins: finds the stored key, and proves nothing. */
  readonly prefix: string;
  readonly hash: string;
}

/** The secret part is random and long, so one pass of SHA-256 is enough: it cannot be guessed. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');

export const makeToken = (): KeyToken => {
  const prefix = `pb_${randomBytes(LOOKUP_BYTES).toString('hex')}`;
  const token = `${prefix}_${randomBytes(SECRET_BYTES).toString('base64url')}`;
  return { token, prefix, hash: hashToken(token) };
};

/** How the text begins when it has the form of a key. */
export const prefixOf = (token: string): string | undefined => TOKEN.exec(token)?.groups?.['prefix'];

/** Takes the same time wherever two hashes differ. */
export const sameHash = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
};
