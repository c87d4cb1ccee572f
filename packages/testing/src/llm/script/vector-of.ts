import { createHash } from 'node:crypto';

const DIMENSIONS = 8;

/** The same vector for the same text, in every run. */
export const vectorOf = (text: string): Float32Array =>
  Float32Array.from(createHash('sha256').update(text).digest().subarray(0, DIMENSIONS), (byte) => byte / 255);
