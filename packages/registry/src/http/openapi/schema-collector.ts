import { z } from 'zod';
import type { JsonSchema } from './document-types.js';
import { schemaNames } from './schema-names.js';

type Io = 'input' | 'output';
type Writable = Record<string, unknown>;

const COMPONENTS = '#/components/schemas/';

/** Zod writes for validators; people read this, so that what only repeats itself is taken out. */
const tidy = ({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: Writable }): void => {
  const described = z.globalRegistry.get(zodSchema)?.description;
  if (described !== undefined) jsonSchema['description'] = described;
  if (jsonSchema['format'] === 'date-time') delete jsonSchema['pattern'];
  if (jsonSchema['maximum'] === Number.MAX_SAFE_INTEGER) delete jsonSchema['maximum'];
  if (jsonSchema['minimum'] === Number.MIN_SAFE_INTEGER) delete jsonSchema['minimum'];
  // An answer may grow members; only what is declared strict is closed.
  if (zodSchema._zod.def.type === 'object' && zodSchema._zod.def.catchall === undefined) {
    delete jsonSchema['additionalProperties'];
  }
};

const toComponentRefs = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(toComponentRefs);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      key === '$ref' && typeof member === 'string' ? member.replace('#/$defs/', COMPONENTS) : toComponentRefs(member),
    ]),
  );
};

const publicForm = ({ id: _id, $schema: _dialect, $defs: _definitions, ...schema }: Writable): JsonSchema =>
  toComponentRefs(schema) as JsonSchema;

export interface SchemaCollector {
  /** The schema, or a reference to it when it has a name. */
  readonly refer: (schema: z.ZodType, io: Io) => JsonSchema;
  /** What was referred to so far, by name. */
  readonly schemas: () => Readonly<Record<string, JsonSchema>>;
}

/** Turns zod schemas into JSON Schema 2020-12 and gathers the named ones. */
export const schemaCollector = (): SchemaCollector => {
  const found = new Map<string, JsonSchema>();
  return {
    refer: (schema, io) => {
      const json = z.toJSONSchema(schema, { metadata: schemaNames, io, unrepresentable: 'any', override: tidy });
      for (const [name, definition] of Object.entries(json.$defs ?? {})) {
        found.set(name, publicForm(definition));
      }
      const name = schemaNames.get(schema)?.id;
      if (name === undefined) return publicForm(json);
      if (!found.has(name)) found.set(name, publicForm(json));
      return { $ref: COMPONENTS + name };
    },
    schemas: () => Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
};
