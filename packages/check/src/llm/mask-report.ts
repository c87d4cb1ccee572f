import type { CheckReport } from '@plugboard/contract';
import { isObject } from '../connection/json.js';
import { type Mask, secretMask } from '../target/mask-secrets.js';
import type { LlmTarget } from './target.js';

/** An endpoint may echo a key as it is, in Base64, in hexadecimal, or as it stands in a URL. */
const spellings = (secret: string): readonly string[] => {
  const bytes = Buffer.from(secret);
  const base64 = bytes.toString('base64').replace(/=+$/u, '');
  return [secret, encodeURIComponent(secret), base64, bytes.toString('base64url'), bytes.toString('hex')];
};

const maskIn = (value: unknown, mask: Mask): unknown => {
  if (typeof value === 'string') return mask(value);
  if (Array.isArray(value)) return value.map((item) => maskIn(item, mask));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, maskIn(member, mask)]));
};

/** The report without the secrets of the target, wherever the endpoint put them. */
export const maskReport = (report: CheckReport, { key, aws }: LlmTarget): CheckReport => {
  const secrets = [key, aws?.secretAccessKey, aws?.sessionToken].filter((secret) => secret !== undefined);
  const mask = secretMask({ headers: {}, env: {} }, secrets.flatMap(spellings));
  return maskIn(report, mask) as CheckReport;
};
