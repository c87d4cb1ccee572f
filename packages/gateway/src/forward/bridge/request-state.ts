import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { isJsonObject, type JsonObject } from '@plugboard/wire';

/** What a client was asked during a call, and what it answered, so that the call can be made again. */
export interface ToldSoFar {
  /** Each question by its name, as a digest. */
  readonly asked: Readonly<Record<string, string>>;
  readonly given: JsonObject;
}

/** What a parked call is found by; it travels through the client and back. */
export interface StateClaim {
  readonly call: string;
  readonly round: number;
  /** Seconds since 1970. */
  readonly expires: number;
  /** The process that has the call. */
  readonly holder: string;
  /** Left out where it is too long. */
  readonly told?: ToldSoFar | undefined;
}

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** @param binding who may present it, and with which request: it is authenticated, not contained. */
export const sealState = (key: Uint8Array, claim: StateClaim, binding: string): string => {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(binding));
  const sealed = Buffer.concat([nonce, cipher.update(JSON.stringify(claim), 'utf8'), cipher.final()]);
  return Buffer.concat([sealed, cipher.getAuthTag()]).toString('base64url');
};

const open = (key: Uint8Array, bytes: Buffer, binding: string): string => {
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(binding));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8');
};

const readClaim = (text: string): StateClaim | undefined => {
  const value: unknown = JSON.parse(text);
  if (!isJsonObject(value)) return undefined;
  const { call, round, expires, holder } = value;
  const isClaim =
    typeof call === 'string' && typeof round === 'number' && typeof expires === 'number' && typeof holder === 'string';
  // The rest was written here: nobody else has the key.
  return isClaim ? (value as unknown as StateClaim) : undefined;
};

/** The claim behind a state that we sealed for this very binding and that has not expired; else undefined. */
export const openState = (
  key: Uint8Array,
  state: string,
  binding: string,
  nowMs: number = Date.now(),
): StateClaim | undefined => {
  const bytes = Buffer.from(state, 'base64url');
  // base64url has several spellings of the same bytes.
  if (bytes.length < NONCE_BYTES + TAG_BYTES || bytes.toString('base64url') !== state) return undefined;
  try {
    const claim = readClaim(open(key, bytes, binding));
    return claim !== undefined && claim.expires * 1000 > nowMs ? claim : undefined;
  } catch {
    return undefined;
  }
};
