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

/** Draft-04 says with true that a limit itself is excluded; later drafts say it with the limit. */
const withNumericLimits = (schema: SchemaObject): SchemaObject => {
  const { exclusiveMinimum: low, exclusiveMaximum: high, minimum, maximum, ...rest } = schema;
  if (typeof low !== 'boolean' && typeof high !== 'boolean') return schema;
  const limits = {
    minimum: low === true ? undefined : minimum,
    maximum: high === true ? undefined : maximum,
    exclusiveMinimum: typeof low === 'boolean' ? (low ? minimum : undefined) : low,
    exclusiveMaximum: typeof high === 'boolean' ? (high ? maximum : undefined) : high,
  };
  return { ...rest, ...Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined)) };
};

/** The compiler refuses an empty list of values, which permits nothing. */
const withoutEmptyEnum = (schema: SchemaObject): SchemaObject => {
  const { enum: values, ...rest } = schema;
  return Array.isArray(values) && values.length === 0 ? { ...rest, not: {} } : schema;
};

/** The schema in the form that the compiler takes: references as pointers into itself, no identifiers, no old spellings. */
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
  return mapSchema(root, (schema) => withoutEmptyEnum(withNumericLimits(settle(schema))));
};
