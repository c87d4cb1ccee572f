import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** What one process proves to another with each request that it passes on. */
export interface PassedRequest {
  readonly from: string;
  readonly to: string;
  readonly method: string;
  readonly url: string;
  /** The caller proved to the first process that it may read the home of the hub. */
  readonly isLocal: boolean;
  /** Counts the requests of the one process to the other. Each number is accepted once. */
  readonly number: number;
  /** The lease under which the other process is to act, with its token. */
  readonly lease?: string | undefined;
}

const KEY_BYTES = 32;

export const PROOF_HEADER = 'plugboard-peer';
export const LOCAL_HEADER = 'plugboard-local';
export const LEASE_HEADER = 'plugboard-lease';

/** Processes with the same master key have the same. */
export const peerKey = (taskKey: Uint8Array): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', taskKey, '', 'plugboard peer channel', KEY_BYTES));

const sign = (key: Uint8Array, { number, from, to, method, url, isLocal, lease }: PassedRequest): Buffer =>
  createHmac('sha256', key)
    .update(JSON.stringify([number, from, to, method, url, isLocal, lease ?? null]))
    .digest();

/** The header that proves a request. `to` is one run of one process, so a proof ends with it. */
export const writeProof = (key: Uint8Array, passed: PassedRequest): string =>
  [passed.from, passed.number, sign(key, passed).toString('base64url')].join(' ');

const NUMBER = /^[1-9]\d{0,14}$/u;

/** Who passed the request on, and the number of the request; undefined when nobody with the key did. */
export const readProof = (
  key: Uint8Array,
  header: string | undefined,
  passed: Omit<PassedRequest, 'from' | 'number'>,
): Pick<PassedRequest, 'from' | 'number'> | undefined => {
  const [from, count, signature, ...rest] = header?.split(' ') ?? [];
  if (from === undefined || count === undefined || signature === undefined || rest.length > 0) return undefined;
  if (!NUMBER.test(count)) return undefined;
  const number = Number(count);
  const given = Buffer.from(signature, 'base64url');
  const expected = sign(key, { ...passed, from, number });
  return given.length === expected.length && timingSafeEqual(given, expected) ? { from, number } : undefined;
};
