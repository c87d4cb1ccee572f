import { isJsonObject } from '@plugboard/base';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { recordOf, textOf } from './openapi-shapes.js';

type Data = Readonly<Record<string, unknown>>;

/**
 * Schemas of OpenAPI 3.0 say some things in words of their own; those of 3.1 are JSON Schema already. The components go
 * along, for references that go in circles.
 */
export const asJsonSchema = (schema: Data, document: Data): object => {
  const whole = { ...schema, components: { schemas: recordOf(recordOf(document['components'])['schemas']) } };
  return textOf(document['openapi']).startsWith('3.0') ? (translated(whole, new Map()) as object) : whole;
};

/** One translation per object: the library shares what is referred to, and so does the result. */
const translated = (value: unknown, done: Map<object, object>): unknown => {
  if (Array.isArray(value)) return value.map((one) => translated(one, done));
  if (!isJsonObject(value)) return value;
  const known = done.get(value);
  if (known !== undefined) return known;
  const { nullable, exclusiveMinimum, exclusiveMaximum, ...rest } = value;
  const result: Record<string, unknown> = {};
  done.set(value, result);
  for (const [key, one] of Object.entries(rest)) result[key] = translated(one, done);
  return Object.assign(
    result,
    bound('exclusiveMinimum', exclusiveMinimum, rest['minimum']),
    bound('exclusiveMaximum', exclusiveMaximum, rest['maximum']),
    nullable === true && typeof rest['type'] === 'string' ? { type: [rest['type'], 'null'] } : {},
    nullable === true && Array.isArray(rest['enum']) ? { enum: [...(rest['enum'] as unknown[]), null] } : {},
  );
};

const bound = (name: string, exclusive: unknown, limit: unknown): object => {
  if (typeof exclusive === 'number') return { [name]: exclusive };
  return exclusive === true && typeof limit === 'number' ? { [name]: limit } : {};
};

export type SchemaVerdict =
  | { readonly kind: 'follows' }
  | { readonly kind: 'breaks'; readonly problem: string }
  /** The schema itself cannot be used: nothing can be said. */
  | { readonly kind: 'unusable' };

export const judge = (schema: object, value: unknown): SchemaVerdict => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });
  try {
    const validate = ajv.compile(schema);
    if (validate(value)) return { kind: 'follows' };
    const [first] = validate.errors ?? [];
    return { kind: 'breaks', problem: `${first?.instancePath || 'The body'} ${first?.message ?? 'is wrong'}` };
  } catch {
    return { kind: 'unusable' };
  }
};
