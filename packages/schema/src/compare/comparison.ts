import type { Change, ChangeCode, Direction, Effect } from './change.js';
import { kindOf } from './change.js';
import type { SchemaSide } from './schema-side.js';

/** One comparison of two schemas, in progress. */
export interface Comparison {
  readonly direction: Direction;
  readonly before: SchemaSide;
  readonly after: SchemaSide;
  readonly report: (change: Omit<Change, 'tool'>) => void;
}

const CODES: Readonly<Record<Effect, ChangeCode>> = {
  widened: 'schema-widened',
  narrowed: 'schema-narrowed',
  changed: 'schema-changed',
};

export const reportEffect = (comparison: Comparison, effect: Effect, pointer: string, sentence: string): void =>
  comparison.report({ kind: kindOf(effect, comparison.direction), code: CODES[effect], pointer, sentence });

export const reportText = (comparison: Comparison, pointer: string, sentence: string): void =>
  comparison.report({ kind: 'instruction', code: 'text-changed', pointer, sentence });

/** The place as a person names it: `/inputSchema/properties/a/items` is `a[]`. */
export const placeOf = (pointer: string): string => {
  const path = pointer
    .replace(/^\/(?:inputSchema|outputSchema)/u, '')
    .replaceAll(/\/properties\/([^/]*)/gu, '.$1')
    .replaceAll(/\/items(?=\/|\.|$)/gu, '[]')
    .replaceAll('~1', '/')
    .replaceAll('~0', '~')
    .replace(/^\./u, '');
  return path === '' ? 'the root' : `"${path}"`;
};
