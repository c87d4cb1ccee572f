import { at, isObject, show } from '../connection/json.js';

/** Where two values differ, and how. */
export interface Difference {
  /** Names and indices on the way there, joined by slashes. */
  readonly path: string;
  readonly one: unknown;
  readonly other: unknown;
}

const MAX_DIFFERENCES = 200;

const keysOf = (one: object, other: object): readonly string[] => [
  ...new Set([...Object.keys(one), ...Object.keys(other)]),
];

const collect = (path: string, one: unknown, other: unknown, found: Difference[]): void => {
  if (found.length >= MAX_DIFFERENCES || Object.is(one, other)) return;
  if (isObject(one) && isObject(other)) {
    for (const key of keysOf(one, other)) {
      collect(path === '' ? key : `${path}/${key}`, at(one, key), at(other, key), found);
    }
    return;
  }
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length) {
    for (const [index, item] of one.entries()) collect(`${path}/${index}`, item, other[index], found);
    return;
  }
  if (Array.isArray(one) && Array.isArray(other) && JSON.stringify(one) === JSON.stringify(other)) return;
  found.push({ path, one, other });
};

/** Everything in which two values differ; the order of an object's members does not matter. */
export const differencesBetween = (path: string, one: unknown, other: unknown): readonly Difference[] => {
  const found: Difference[] = [];
  collect(path, one, other, found);
  return found;
};

const escaped = (part: string): string => part.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`);

/** Whether a pattern names this place or one above it; `*` stands for any one part. */
export const covers = (pattern: string, path: string): boolean => {
  const parts = pattern.split('/').map((part) => (part === '*' ? '[^/]*' : escaped(part)));
  return new RegExp(`^${parts.join('/')}(?:/|$)`, 'u').test(path);
};

export const inWords = ({ path, one, other }: Difference): string =>
  `${path}: ${show(one).slice(0, 80)} here, ${show(other).slice(0, 80)} there.`;
