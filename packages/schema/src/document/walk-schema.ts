import { isJsonObject } from '@plugboard/base';
import { isSchema, type JsonSchema, type SchemaObject } from './json-schema.js';
import { APPLICATORS } from './keyword.js';
import { LIMITS, type Limits } from './limits.js';
import { appendPointer } from './pointer.js';

/** One schema inside a document, and how it was reached. */
export interface SchemaNode {
  readonly schema: JsonSchema;
  /** JSON pointer from the document's root; empty for the root itself. */
  readonly pointer: string;
  /** Schemas above this one; 0 for the root. */
  readonly depth: number;
  /** The keyword of the parent that holds it; undefined for the root. */
  readonly keyword: string | undefined;
  /** Its name or index under that keyword, where there is one: a property's name, a branch's number. */
  readonly key: string | undefined;
  readonly parent: SchemaNode | undefined;
}

/** Whether everything was visited, or which limit ended the walk. */
export type WalkOutcome =
  | { readonly complete: true }
  | { readonly complete: false; readonly limit: 'depth' | 'nodes'; readonly pointer: string };

export interface WalkOptions {
  readonly limits?: Partial<Pick<Limits, 'depth' | 'nodes'>>;
}

/** A subschema together with where it hangs: `['properties', 'city']`, `['anyOf', '0']`, `['not']`. */
export interface Subschema {
  readonly schema: JsonSchema;
  readonly keyword: string;
  readonly key: string | undefined;
}

const collect = (keyword: string, holder: unknown, into: Subschema[]): void => {
  const holding = APPLICATORS.get(keyword);
  if (holding === undefined) return;
  if (Array.isArray(holder)) {
    if (holding !== 'list' && holding !== 'mixed') return;
    for (const [index, schema] of holder.entries()) {
      if (isSchema(schema)) into.push({ schema, keyword, key: String(index) });
    }
  } else if (holding === 'map') {
    if (!isJsonObject(holder)) return;
    for (const key of Object.keys(holder)) {
      const schema = holder[key];
      if (isSchema(schema)) into.push({ schema, keyword, key });
    }
  } else if (holding !== 'list' && isSchema(holder)) {
    into.push({ schema: holder, keyword, key: undefined });
  }
};

/** The schemas directly inside a schema, in document order; members that have no schema's form are passed over. */
export const subschemas = (schema: SchemaObject): readonly Subschema[] => {
  const found: Subschema[] = [];
  for (const keyword of Object.keys(schema)) collect(keyword, schema[keyword], found);
  return found;
};

const childrenOf = (node: SchemaNode): readonly SchemaNode[] =>
  typeof node.schema === 'boolean'
    ? []
    : subschemas(node.schema).map(({ schema, keyword, key }) => ({
        schema,
        keyword,
        key,
        pointer: key === undefined ? appendPointer(node.pointer, keyword) : appendPointer(node.pointer, keyword, key),
        depth: node.depth + 1,
        parent: node,
      }));

/**
 * Visits every schema of a document, parents first, in document order, without recursion. `$ref` is not followed, so
 * recursive schemas end by themselves; objects that contain themselves end at the limits. A visitor that answers
 * `'skip'` keeps the walk out of what is below.
 */
export const walkSchema = (
  root: unknown,
  visit: (node: SchemaNode) => 'skip' | undefined | void,
  options: WalkOptions = {},
): WalkOutcome => {
  if (!isSchema(root)) return { complete: true };
  const limits = { ...LIMITS, ...options.limits };
  const pending: SchemaNode[] = [
    { schema: root, pointer: '', depth: 0, keyword: undefined, key: undefined, parent: undefined },
  ];
  let visited = 0;
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    visited += 1;
    if (visited > limits.nodes) return { complete: false, limit: 'nodes', pointer: node.pointer };
    if (node.depth > limits.depth) return { complete: false, limit: 'depth', pointer: node.pointer };
    if (visit(node) === 'skip') continue;
    const children = childrenOf(node);
    for (let index = children.length - 1; index >= 0; index -= 1) pending.push(children[index] as SchemaNode);
  }
  return { complete: true };
};
