/**
 * What a change means to those who already use the tool. `breaking`: what worked may fail. `compatible`: what worked
 * still works. `instruction`: text that speaks to the model is different, so the model may behave differently.
 */
export type ChangeKind = 'breaking' | 'compatible' | 'instruction';

export type ChangeCode =
  | 'server-renamed'
  | 'tool-added'
  | 'tool-removed'
  | 'tool-renamed'
  | 'parameter-added'
  | 'parameter-removed'
  | 'parameter-renamed'
  | 'schema-added'
  | 'schema-removed'
  | 'schema-widened'
  | 'schema-narrowed'
  | 'schema-changed'
  | 'text-changed'
  | 'hint-changed'
  | 'member-changed';

export interface Change {
  readonly kind: ChangeKind;
  readonly code: ChangeCode;
  /** The name that the server gives the tool; the old one when it was renamed. */
  readonly tool: string;
  /** JSON pointer into the tool's definition, such as `/inputSchema/properties/city`. */
  readonly pointer: string;
  readonly sentence: string;
}

/** Where a schema stands: callers fill the input, and read the output. */
export type Direction = 'input' | 'output';

/** What a difference does to the set of valid values; `changed` when neither set contains the other. */
export type Effect = 'widened' | 'narrowed' | 'changed';

/** Input may widen, output may narrow; everything else breaks somebody. */
export const kindOf = (effect: Effect, direction: Direction): ChangeKind => {
  switch (effect) {
    case 'widened':
      return direction === 'input' ? 'compatible' : 'breaking';
    case 'narrowed':
      return direction === 'input' ? 'breaking' : 'compatible';
    case 'changed':
      return 'breaking';
  }
};

const SEVERITY: readonly ChangeKind[] = ['compatible', 'instruction', 'breaking'];

/** The gravest kind among changes; undefined when there are none. */
export const gravest = (changes: readonly Change[]): ChangeKind | undefined =>
  SEVERITY.findLast((kind) => changes.some((change) => change.kind === kind));
