import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a parked call is found by; it travels through the client and back. */
export interface StateClaim {
  readonly call: string;
  readonly round: number;
  /** Seconds since 1970. */
  readonly expires: number;
}

const sign = (key: Uint8Array, payload: string, binding: string): Buffer =>
  createHmac('sha256', key)
    .update(JSON.stringify([payload, binding]))
    .digest();

/** @param binding who may present it, and with which request: it is signed, not shown. */
export const sealState = (key: Uint8Array, claim: StateClaim, binding: string): string => {
  const payload = Buffer.from(JSON.stringify([claim.call, claim.round, claim.expires])).toString('base64url');
  return `${payload}.${sign(key, payload, binding).toString('base64url')}`;
};

const readClaim = (payload: string): StateClaim | undefined => {
  try {
    const value: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    if (!Array.isArray(value)) return undefined;
    const [call, round, expires] = value as unknown[];
    return typeof call === 'string' && typeof round === 'number' && typeof expires === 'number'
      ? { call, round, expires }
      : undefined;
  } catch {
    return undefined;
  }
};

/** The claim behind a state that we sealed for this very binding and that has not expired; else undefined. */
export const openState = (
  key: Uint8Array,
  state: string,
  binding: string,
  nowMs: number = Date.now(),
): StateClaim | undefined => {
  const [payload = '', signature = '', ...rest] = state.split('.');
  if (rest.length > 0) return undefined;
  const given = Buffer.from(signature, 'base64url');
  const expected = sign(key, payload, binding);
  // Comparing the text too: base64url has several spellings of the same bytes.
  if (given.length !== expected.length || expected.toString('base64url') !== signature) return undefined;
  if (!timingSafeEqual(given, expected)) return undefined;
  const claim = readClaim(payload);
  return claim !== undefined && claim.expires * 1000 > nowMs ? claim : undefined;
};
