import { isObject, tryJson } from '../connection/json.js';

/** A path or an expression that cannot be read. */
export class PathError extends Error {
  override readonly name = 'PathError';
}

const SEGMENT = /\.?(?<key>[A-Za-z_$][\w$-]*)|\[(?<index>-?\d{1,9})\]|\[(?<quoted>"(?:[^"\\]|\\.)*"|'[^'\\]*')\]/uy;
const FILTER = /^(?<name>[a-z]+)(?:\s+(?<text>"(?:[^"\\]|\\.)*"|'[^'\\]*'))?$/u;

const unquoted = (text: string): string => {
  const value = text.startsWith("'") ? undefined : tryJson(text);
  return typeof value === 'string' ? value : text.slice(1, -1);
};

const segmentsOf = (path: string): readonly (string | number)[] => {
  const segments: (string | number)[] = [];
  SEGMENT.lastIndex = 0;
  while (SEGMENT.lastIndex < path.length) {
    const groups = SEGMENT.exec(path)?.groups;
    if (groups === undefined) throw new PathError(`"${path}" is not a path such as content[0].text.`);
    const { key, index, quoted } = groups;
    segments.push(key ?? (index === undefined ? unquoted(quoted ?? '') : Number(index)));
  }
  return segments;
};

const member = (value: unknown, segment: string | number): unknown => {
  if (Array.isArray(value) && typeof segment === 'number') return value.at(segment) as unknown;
  return isObject(value) && Object.hasOwn(value, segment) ? value[segment] : undefined;
};

const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

type Filter = (value: unknown, text: string | undefined) => unknown;

const partAfter = (value: unknown, mark: string | undefined): string | undefined => {
  const whole = asText(value);
  const at = whole.indexOf(mark ?? '');
  return at === -1 ? undefined : whole.slice(at + (mark ?? '').length);
};

const partBefore = (value: unknown, mark: string | undefined): string | undefined => {
  const whole = asText(value);
  const at = whole.indexOf(mark ?? '');
  return at === -1 ? undefined : whole.slice(0, at);
};

const lengthOf = (value: unknown): number | undefined => {
  if (typeof value === 'string' || Array.isArray(value)) return value.length;
  return isObject(value) ? Object.keys(value).length : undefined;
};

const asNumber = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
};

/** What can be done with a value besides going into it. Nothing here runs code of the author. */
const FILTERS: Readonly<Record<string, Filter>> = {
  json: (value) => (typeof value === 'string' ? tryJson(value) : value),
  length: lengthOf,
  lines: (value) => asText(value).split(/\r?\n/u),
  trim: (value) => asText(value).trim(),
  number: asNumber,
  text: asText,
  quote: (value) => JSON.stringify(value),
  after: partAfter,
  before: partBefore,
};

const applied = (value: unknown, part: string): unknown => {
  if (part.startsWith('.') || part.startsWith('[')) return segmentsOf(part).reduce(member, value);
  const { name = '', text } = FILTER.exec(part)?.groups ?? {};
  const filter = Object.hasOwn(FILTERS, name) ? FILTERS[name] : undefined;
  if (filter === undefined) {
    throw new PathError(`"${part}" is not a filter. Known: ${Object.keys(FILTERS).join(', ')}.`);
  }
  return filter(value, text === undefined ? undefined : unquoted(text));
};

/** Splits at bars that are not inside quotes. */
const parts = (expression: string): readonly string[] =>
  [...expression.matchAll(/(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^|])+/gu)].map(([part]) => part.trim());

/** The value of `a.b[0] | filter | .c` in a value; undefined when there is none. */
export const evaluate = (expression: string, value: unknown): unknown => {
  const [path = '', ...filters] = parts(expression);
  const found = segmentsOf(path).reduce(member, value);
  return filters.reduce<unknown>((inner, part) => (inner === undefined ? undefined : applied(inner, part)), found);
};
