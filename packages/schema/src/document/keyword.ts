/** How a keyword holds its subschemas. `mixed` may hold a schema or a list of them (`items` before 2020-12). */
export type Holding = 'schema' | 'list' | 'map' | 'mixed';

/** Every keyword of draft-07, 2019-09 and 2020-12 that holds subschemas, and how. */
export const APPLICATORS: ReadonlyMap<string, Holding> = new Map<string, Holding>([
  ['properties', 'map'],
  ['patternProperties', 'map'],
  ['additionalProperties', 'schema'],
  ['unevaluatedProperties', 'schema'],
  ['propertyNames', 'schema'],
  ['items', 'mixed'],
  ['prefixItems', 'list'],
  ['additionalItems', 'schema'],
  ['unevaluatedItems', 'schema'],
  ['contains', 'schema'],
  ['allOf', 'list'],
  ['anyOf', 'list'],
  ['oneOf', 'list'],
  ['not', 'schema'],
  ['if', 'schema'],
  ['then', 'schema'],
  ['else', 'schema'],
  ['dependentSchemas', 'map'],
  // members that list property names instead are not schemas, and are passed over
  ['dependencies', 'map'],
  ['contentSchema', 'schema'],
  ['$defs', 'map'],
  ['definitions', 'map'],
]);

/** Keywords whose subschemas judge the same value as the schema that holds them. */
export const IN_PLACE: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'dependencies',
]);

/** Keywords that only keep schemas for others to refer to. */
export const DEFINITION_KEYWORDS: ReadonlySet<string> = new Set(['$defs', 'definitions']);
