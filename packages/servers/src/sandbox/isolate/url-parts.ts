/** What the guest's `URL` asks of the host: pure functions from text to text. */

const PARTS = [
  'href',
  'protocol',
  'username',
  'password',
  'host',
  'hostname',
  'port',
  'pathname',
  'search',
  'hash',
] as const;

const partsOf = (url: URL): string =>
  JSON.stringify({ ...Object.fromEntries(PARTS.map((part) => [part, url[part]])), origin: url.origin });

/** The parts as JSON, or nothing where the text is no URL. */
export const urlParts = (text: string, base: string): string => {
  const from = base === '' ? undefined : base;
  return URL.canParse(text, from) ? partsOf(new URL(text, from)) : '';
};

export const urlWith = (href: string, part: string, value: string): string => {
  const known = PARTS.find((one) => one === part);
  if (known === undefined || !URL.canParse(href) || (known === 'href' && !URL.canParse(value))) return '';
  const url = new URL(href);
  url[known] = value;
  return partsOf(url);
};

export const queryPairs = (text: string): string => JSON.stringify([...new URLSearchParams(text)]);

export const queryText = (pairs: string): string => {
  const read: unknown = JSON.parse(pairs);
  const entries: unknown[] = Array.isArray(read) ? read : [];
  return new URLSearchParams(entries.map(pairOf)).toString();
};

const pairOf = (entry: unknown): [string, string] => {
  const [key, value] = Array.isArray(entry) ? (entry as unknown[]) : [];
  return [String(key), String(value)];
};
