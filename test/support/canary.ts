import { randomBytes } from 'node:crypto';

/** How every canary begins: whatever a test run leaves behind can be searched for it. */
export const CANARY_PREFIX = 'cnry/';

/** A secret that is used nowhere else. It has characters that URLs, JSON and Base64 spell differently. */
export const canary = (name: string): string => `${CANARY_PREFIX}${name}+${randomBytes(12).toString('hex')}=`;

/** Base64 of a text inside a longer one: the characters that do not depend on what stands around it. */
const insideBase64 = (text: string, before: number): string => {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
  const encoded = bytes.subarray(0, bytes.length - (bytes.length % 3)).toString('base64');
  return encoded.slice(before === 0 ? 0 : 4);
};

const urlSafe = (base64: string): string => base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

/** Every form in which a secret is looked for. */
export const spellings = (secret: string): ReadonlyMap<string, string> =>
  new Map([
    ['plain', secret],
    ['URL-encoded', encodeURIComponent(secret)],
    ['form-encoded', new URLSearchParams({ x: secret }).toString().slice(2)],
    ['JSON', JSON.stringify(secret).slice(1, -1)],
    ['hex', Buffer.from(secret).toString('hex')],
    ...[0, 1, 2].flatMap((before): [string, string][] => [
      [`base64 at ${before}`, insideBase64(secret, before)],
      [`base64url at ${before}`, urlSafe(insideBase64(secret, before))],
    ]),
  ]);

/** Where which secret is found, and in what form. */
export const leaksIn = (
  places: ReadonlyMap<string, string>,
  secrets: Readonly<Record<string, string>>,
): readonly string[] => {
  const found: string[] = [];
  const searched = Object.entries(secrets).map(([name, secret]) => [name, [...spellings(secret)]] as const);
  for (const [place, text] of places) {
    for (const [name, forms] of searched) {
      const form = forms.find(([, spelling]) => text.includes(spelling))?.[0];
      if (form !== undefined) found.push(`${name} in ${place}, ${form}`);
    }
  }
  return found;
};
