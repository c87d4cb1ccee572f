import { canonicalJson } from '@plugboard/schema';
import { isObject, show, tryJson } from '../connection/json.js';

export interface Difference {
  /** Such as `content[0].text`. */
  readonly path: string;
  readonly sentence: string;
}

const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/giu;
const TIME = /\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?/gu;
const HEX_ID = /\b[0-9a-f]{16,}\b/giu;
const EPOCH = { least: 1_000_000_000, most: 9_999_999_999_999 };
const TIME_NAME = /(?:_at|At|time|Time|timestamp|Timestamp|date|Date|_ms|Ms|duration)$/u;

/** A text with what differs from run to run taken out. */
const settled = (text: string): string =>
  text.replaceAll(UUID, '<id>').replaceAll(TIME, '<time>').replaceAll(HEX_ID, '<id>');

const isId = (text: string): boolean => text.length < 200 && settled(text) === '<id>';

const isTime = (name: string, value: unknown): boolean =>
  typeof value === 'number' &&
  (TIME_NAME.test(name) || (value >= EPOCH.least && value <= EPOCH.most && Number.isInteger(value)));

/** Lists whose order means nothing, by the member that names their elements. */
const UNORDERED: Readonly<Record<string, string>> = {
  tools: 'name',
  prompts: 'name',
  resources: 'uri',
  resourceTemplates: 'uriTemplate',
  roots: 'uri',
};

const CURSOR = 'nextCursor';
const IGNORED: ReadonlySet<string> = new Set(['_meta', CURSOR, 'ttlMs', 'cacheScope']);

const patternOf = (rule: string): RegExp =>
  new RegExp(
    `^${rule
      .split('*')
      .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/gu, String.raw`\$&`))
      .join('.*')}$`,
    'u',
  );

export interface DifferenceOptions {
  /** Paths that may differ, with * for any part. */
  readonly ignore?: readonly string[];
  /** Called when an id was replaced: with the recorded one and the present one. */
  readonly onId?: (before: string, after: string) => void;
  /** The same for the cursor of the next page. */
  readonly onCursor?: (before: string, after: string) => void;
}

const MAX_DIFFERENCES = 20;

/** Compares two results by what they mean: ids, times, the order of lists and of members may differ. */
export const differences = (
  before: unknown,
  after: unknown,
  options: DifferenceOptions = {},
): readonly Difference[] => {
  const ignored = (options.ignore ?? []).map(patternOf);
  const found: Difference[] = [];
  const note = (path: string, sentence: string): void => {
    if (found.length < MAX_DIFFERENCES) found.push({ path, sentence });
  };
  const cursors = (one: unknown, two: unknown): void => {
    if (typeof one === 'string' && typeof two === 'string' && one !== two) options.onCursor?.(one, two);
  };
  const texts = (one: string, two: string, path: string): void => {
    if (isId(one) && isId(two)) {
      options.onId?.(one, two);
      return;
    }
    const [first, second] = [tryJson(one), tryJson(two)];
    if (typeof first === 'object' && first !== null && typeof second === 'object' && second !== null) {
      compare(first, second, path);
    } else if (settled(one) !== settled(two)) {
      note(path, `was ${show(one)}, and is ${show(two)}`);
    }
  };
  const lists = (one: readonly unknown[], two: readonly unknown[], path: string): void => {
    if (one.length !== two.length) note(path, `had ${one.length} elements, and has ${two.length}`);
    for (let index = 0; index < Math.min(one.length, two.length); index += 1) {
      compare(one[index], two[index], `${path}[${index}]`);
    }
  };
  const named = (one: readonly unknown[], two: readonly unknown[], path: string, key: string): void => {
    const byKey = (list: readonly unknown[]) =>
      new Map(list.map((element) => [String(isObject(element) ? element[key] : ''), element]));
    const [old, now] = [byKey(one), byKey(two)];
    for (const [name, element] of old) {
      if (now.has(name)) compare(element, now.get(name), `${path}[${name}]`);
      else note(`${path}[${name}]`, 'is missing');
    }
    for (const name of now.keys()) if (!old.has(name)) note(`${path}[${name}]`, 'is new');
  };
  const compare = (one: unknown, two: unknown, path: string): void => {
    if (ignored.some((pattern) => pattern.test(path))) return;
    const name = /([^.[\]]*)$/u.exec(path)?.[1] ?? '';
    if (isTime(name, one) && isTime(name, two)) return;
    if (typeof one === 'string' && typeof two === 'string') {
      texts(one, two, path);
    } else if (Array.isArray(one) && Array.isArray(two)) {
      const key = Object.hasOwn(UNORDERED, name) ? UNORDERED[name] : undefined;
      if (key === undefined) lists(one, two, path);
      else named(one, two, path, key);
    } else if (isObject(one) && isObject(two)) {
      for (const member of new Set([...Object.keys(one), ...Object.keys(two)])) {
        if (member === CURSOR) cursors(one[member], two[member]);
        if (IGNORED.has(member)) continue;
        compare(one[member], two[member], path === '' ? member : `${path}.${member}`);
      }
    } else if (canonicalJson(one ?? null) !== canonicalJson(two ?? null)) {
      note(path, `was ${show(one)}, and is ${show(two)}`);
    }
  };
  compare(before, after, '');
  return found;
};
