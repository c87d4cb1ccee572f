import type { SchemaObject } from '../../document/json-schema.js';

/** One alternative of a union: how its values looked before a rewrite, and after. */
export interface BranchMapping {
  readonly before: SchemaObject;
  readonly after: SchemaObject;
  readonly mapping: Mapping | null;
}

/** Plain data that says how a value of the original schema became one of the adapted schema. */
export type Mapping =
  | {
      readonly op: 'inside';
      readonly properties?: Readonly<Record<string, Mapping>>;
      /** Of members beside the declared ones. */
      readonly additional?: Mapping;
      readonly declared?: readonly string[];
      readonly items?: Mapping;
    }
  | { readonly op: 'union'; readonly branches: readonly BranchMapping[] }
  | { readonly op: 'sequence'; readonly mappings: readonly Mapping[] }
  | { readonly op: 'wrap'; readonly key: string }
  | { readonly op: 'text' }
  | { readonly op: 'entries' }
  | { readonly op: 'rest'; readonly key: string; readonly declared: readonly string[]; readonly as: 'text' | 'entries' }
  | { readonly op: 'lookup'; readonly pairs: readonly (readonly [text: string, value: unknown])[] }
  | { readonly op: 'rename'; readonly keys: readonly (readonly [original: string, adapted: string])[] }
  | { readonly op: 'omit-null'; readonly keys: readonly string[] };

export type MappingFor<Op extends Mapping['op']> = Extract<Mapping, { readonly op: Op }>;

/** Both directions of one kind of mapping. Values that do not fit are passed on: the validator reports them later. */
export interface ValueMapping<Op extends Mapping['op']> {
  /** Original to adapted. */
  readonly forward: (mapping: MappingFor<Op>, value: unknown) => unknown;
  /** Adapted to original. */
  readonly restore: (mapping: MappingFor<Op>, value: unknown) => unknown;
}

/** `first`, then `second`; null is the mapping that changes nothing. */
export const sequence = (first: Mapping | null, second: Mapping | null): Mapping | null => {
  if (first === null) return second;
  return second === null ? first : { op: 'sequence', mappings: [first, second] };
};
