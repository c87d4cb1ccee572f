import { ownMember, type JsonSchema, type SchemaObject } from '../document/json-schema.js';
import { mapSchema } from '../document/map-schema.js';
import { appendPointer, parsePointer } from '../document/pointer.js';
import { refResolver } from '../document/resolve-ref.js';

const encode = (pointer: string): string =>
  `#${appendPointer('', ...(parsePointer(pointer) ?? []))
    .split('/')
    .map(encodeURIComponent)
    .join('/')}`;

/** Identifiers of different servers may clash in one compiler, and nothing needs them once references are pointers. */
const IDENTIFIERS: ReadonlySet<string> = new Set(['$schema', '$id', 'id', '$anchor']);

const isIdentifier = (keyword: string, value: unknown): boolean =>
  IDENTIFIERS.has(keyword) && typeof value === 'string';

/** The schema with every reference as a pointer into itself, and without identifiers. */
export const selfContained = (root: JsonSchema): JsonSchema => {
  const resolve = refResolver(root);
  const settle = (schema: SchemaObject): SchemaObject => {
    const ref = ownMember(schema, '$ref');
    const resolution = typeof ref === 'string' ? resolve(ref) : undefined;
    const members = Object.entries(schema).filter(([keyword, value]) => !isIdentifier(keyword, value));
    return Object.fromEntries(
      resolution?.found === true
        ? members.map(([keyword, value]) => [keyword, keyword === '$ref' ? encode(resolution.pointer) : value])
        : members,
    );
  };
  return mapSchema(root, settle);
};
