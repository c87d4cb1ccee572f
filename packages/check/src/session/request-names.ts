import { at, isObject, tryJson } from '../connection/json.js';

const NAMED = ['name', 'uri'];

const messageName = (message: object): string | undefined => {
  const method = at(message, 'method');
  if (typeof method !== 'string') return undefined;
  const subject = NAMED.map((member) => at(message, 'params', member)).find((value) => typeof value === 'string');
  return subject === undefined ? method : `${method} of ${JSON.stringify(subject)}`;
};

const lineName = (line: string): string | undefined => {
  const [, verb] = /^([A-Z]+) \S+ HTTP\/1\.1$/u.exec(line) ?? [];
  if (verb !== undefined) return verb === 'POST' ? undefined : verb;
  if (!/^\s*[[{]/u.test(line)) return undefined;
  const value = tryJson(line);
  if (Array.isArray(value)) return 'a batch';
  return isObject(value) ? messageName(value) : 'text that is not JSON';
};

/** What was sent, each kind once: methods with what they are about, or the HTTP method of what has no message. */
export const requestNames = (sent: string): readonly string[] => [
  ...new Set(sent.split('\n').flatMap((line) => lineName(line) ?? [])),
];
