import { isJsonObject } from '@plugboard/base';
import { ownMember } from '../document/json-schema.js';
import type { Change } from './change.js';

/** The value of each hint that promises more safety, and what it is taken to be when it is not given. */
const HINTS = {
  readOnlyHint: { promise: true, fallback: false, says: 'that it only reads' },
  destructiveHint: { promise: false, fallback: true, says: 'that it destroys nothing' },
  idempotentHint: { promise: true, fallback: false, says: 'that it may safely be repeated' },
  openWorldHint: { promise: false, fallback: true, says: 'that it stays within its own system' },
} as const;

const hintOf = (annotations: unknown, name: keyof typeof HINTS): boolean => {
  const value = isJsonObject(annotations) ? ownMember(annotations, name) : undefined;
  return typeof value === 'boolean' ? value : HINTS[name].fallback;
};

/** Withdrawing a promise breaks those who relied on it; a new promise breaks nobody. */
export const compareHints = (before: unknown, after: unknown): readonly Omit<Change, 'tool'>[] =>
  (Object.keys(HINTS) as (keyof typeof HINTS)[]).flatMap((name): Omit<Change, 'tool'>[] => {
    const now = hintOf(after, name);
    if (hintOf(before, name) === now) return [];
    const promises = now === HINTS[name].promise;
    return [
      {
        kind: promises ? 'compatible' : 'breaking',
        code: 'hint-changed',
        pointer: `/annotations/${name}`,
        sentence: `The tool ${promises ? 'now' : 'no longer'} promises ${HINTS[name].says} (${name}).`,
      },
    ];
  });

/** Annotations other than the four hints, such as a title: text about the tool. */
export const otherAnnotations = (annotations: unknown): Readonly<Record<string, unknown>> =>
  isJsonObject(annotations)
    ? Object.fromEntries(
        Object.entries(annotations).filter(([name, value]) => !Object.hasOwn(HINTS, name) && value !== null),
      )
    : {};
