import { dialectOf, type Dialect } from '../document/dialect.js';
import { endlessRefs } from '../document/endless-refs.js';
import { typeInference, type TypeInference } from '../document/infer-types.js';
import type { SchemaObject } from '../document/json-schema.js';
import { refResolver, type RefResolver } from '../document/resolve-ref.js';

/** A measured document with what the checks ask about it. */
export interface SchemaDocument {
  readonly root: unknown;
  readonly dialect: Dialect;
  readonly resolve: RefResolver;
  readonly typesOf: TypeInference;
  readonly endless: ReadonlySet<SchemaObject>;
}

export const openDocument = (root: unknown): SchemaDocument => {
  const resolve = refResolver(root);
  return {
    root,
    dialect: dialectOf(root),
    resolve,
    typesOf: typeInference(resolve),
    endless: endlessRefs(root, resolve),
  };
};
