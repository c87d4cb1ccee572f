import { isJsonObject } from '@plugboard/base';

/** Redacts secrets in a text that a server wrote. `maxLength` replaces the length after which the text is cut. */
export type Redact = (text: string, maxLength?: number) => string;

/** Shorter values would redact half of the text. */
const MIN_SECRET_LENGTH = 4;

/** Whatever a server says in an error, no more of it is quoted. */
export const MAX_QUOTED = 2_000;

const WHOLE = Number.POSITIVE_INFINITY;

const base64 = (value: string): readonly string[] => {
  const encoded = Buffer.from(value).toString('base64');
  return [encoded, encoded.replace(/=+$/u, ''), Buffer.from(value).toString('base64url')];
};

const hexadecimal = (value: string): readonly string[] => {
  const encoded = Buffer.from(value).toString('hex');
  return [encoded, encoded.toUpperCase()];
};

/** A server that echoes a secret may write it as it stands in a URL, in JSON, in Base64 or in hexadecimal. */
const spellings = (value: string): readonly string[] => [
  value,
  // A value may hold half of a character, which cannot stand in a URL.
  encodeURIComponent(Buffer.from(value).toString()),
  JSON.stringify(value).slice(1, -1),
  ...base64(value),
  ...hexadecimal(value),
];

/** A secret of several lines, such as a key file, may also be echoed line by line. */
const parts = (secret: string): readonly string[] => [
  secret,
  ...secret.split(/\r\n|\n|\r/u).map((line) => line.trim()),
];

/** Replaces the secrets in a text, in all spellings, and cuts the text after `maxLength` characters. */
export const redaction = (secrets: readonly string[], maxLength = WHOLE): Redact => {
  const long = (text: string): boolean => text.length >= MIN_SECRET_LENGTH;
  const hidden = [...new Set(secrets.flatMap(parts).filter(long).flatMap(spellings))].toSorted(
    (left, right) => right.length - left.length,
  );
  return (text, cutAfter = maxLength) => {
    const clean = hidden.reduce((current, secret) => current.replaceAll(secret, '[redacted]'), text);
    return clean.length > cutAfter ? `${clean.slice(0, cutAfter)}…` : clean;
  };
};

/** Redacts every text in a JSON value, the names of members included. Nothing is cut: programs read it. */
export const redactJson = (value: unknown, redact: Redact): unknown => {
  if (typeof value === 'string') return redact(value, WHOLE);
  if (Array.isArray(value)) return value.map((item) => redactJson(item, redact));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [redact(name, WHOLE), redactJson(member, redact)]),
  );
};
