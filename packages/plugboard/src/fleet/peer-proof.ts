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
export const CLIENT_HEADER = 'plugboard-client';

/** Processes with the same master key have the same. */
export const peerKey = (taskKey: Uint8Array): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', taskKey, '', 'plugboard peer channel', KEY_BYTES));

/** The number is signed as text: a replica of the version before, which has random words in its place, can verify it. */
const sign = (
  key: Uint8Array,
  word: string,
  { from, to, method, url, isLocal, lease }: Omit<PassedRequest, 'number'>,
): Buffer =>
  createHmac('sha256', key)
    .update(JSON.stringify([word, from, to, method, url, isLocal, lease ?? null]))
    .digest();

/** The header that proves a request. `to` is one run of one process, so a proof ends with it. */
export const writeProof = (key: Uint8Array, passed: PassedRequest): string => {
  const word = String(passed.number);
  return [passed.from, word, sign(key, word, passed).toString('base64url')].join(' ');
};

/** Who passed a request on, and by what it is known when it is sent again: a number, or the random word of an older version. */
export type ReadProof =
  | Pick<PassedRequest, 'from' | 'number'>
  | { readonly from: string; readonly number?: undefined; readonly nonce: string };

const NUMBER = /^[1-9]\d{0,14}$/u;
/** 16 random bytes, as the version before numbers wrote them. */
const NONCE = /^[\w-]{22}$/u;

/** Undefined when nobody with the key passed the request on. */
export const readProof = (
  key: Uint8Array,
  header: string | undefined,
  passed: Omit<PassedRequest, 'from' | 'number'>,
): ReadProof | undefined => {
  const [from, word, signature, ...rest] = header?.split(' ') ?? [];
  if (from === undefined || word === undefined || signature === undefined || rest.length > 0) return undefined;
  const isNumber = NUMBER.test(word);
  if (!isNumber && !NONCE.test(word)) return undefined;
  const given = Buffer.from(signature, 'base64url');
  const expected = sign(key, word, { ...passed, from });
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  return isNumber ? { from, number: Number(word) } : { from, nonce: word };
};

/** Signed apart from the proof, which a replica of the version before can verify only without it. */
const signClient = (key: Uint8Array, proof: string, address: string): Buffer =>
  createHmac('sha256', key)
    .update(JSON.stringify(['client', proof, address]))
    .digest();

/** The header that says where the request came from to the process that passes it on, with this proof. */
export const writeClient = (key: Uint8Array, proof: string, address: string): string =>
  [address, signClient(key, proof, address).toString('base64url')].join(' ');

/** The address in the header; undefined when the process with this proof did not write it. */
export const readClient = (key: Uint8Array, proof: string, header: string | undefined): string | undefined => {
  const [address, signature, ...rest] = header?.split(' ') ?? [];
  if (address === undefined || signature === undefined || rest.length > 0) return undefined;
  const given = Buffer.from(signature, 'base64url');
  const expected = signClient(key, proof, address);
  return given.length === expected.length && timingSafeEqual(given, expected) ? address : undefined;
};
