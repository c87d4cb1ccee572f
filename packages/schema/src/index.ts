export { dialectOf, type Dialect } from './document/dialect.js';
export {
  JSON_TYPES,
  isJsonType,
  isRecord,
  isSchema,
  ownMember,
  type JsonSchema,
  type JsonType,
  type SchemaObject,
} from './document/json-schema.js';
export { LIMITS, type Limits } from './document/limits.js';
export { measure, type Excess, type Measurement } from './document/measure.js';
export { appendPointer, lookUp, parsePointer } from './document/pointer.js';
export {
  followRefs,
  refOf,
  refResolver,
  resolveRef,
  type RefResolver,
  type Resolution,
} from './document/resolve-ref.js';
export {
  subschemas,
  walkSchema,
  type SchemaNode,
  type Subschema,
  type WalkOptions,
  type WalkOutcome,
} from './document/walk-schema.js';
