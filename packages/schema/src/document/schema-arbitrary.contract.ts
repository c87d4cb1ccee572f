import * as fc from 'fast-check';

const NAMES = ['a', 'b', 'c', 'x/y', 'toString', '__proto__'] as const;
const name = fc.constantFrom(...NAMES);
const type = fc.constantFrom('string', 'number', 'integer', 'boolean', 'object', 'array', 'null');
const ref = fc.constantFrom(
  '#',
  '#/$defs/a',
  '#/$defs/b',
  '#/definitions/a',
  '#/properties/a',
  '#/properties/a/anyOf/0',
  '#anchor',
  '#/nowhere',
  'https://example.com/schema.json',
);

/** Own members only: `__proto__` must not become a prototype. */
const mapOf = (member: fc.Arbitrary<unknown>): fc.Arbitrary<Record<string, unknown>> =>
  fc
    .uniqueArray(fc.tuple(name, member), { selector: ([key]) => key, maxLength: 3 })
    .map((entries) => Object.fromEntries(entries));

const sometimes = <T>(weight: number, usual: fc.Arbitrary<T>, odd: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: odd });

const rubbish = fc.constantFrom<unknown>(null, 1, 'x', [], {}, true, false, ['a'], [1]);

const values = fc.array(
  fc.oneof(fc.string({ maxLength: 3 }), fc.integer(), fc.double({ noNaN: true }), fc.constant(null), fc.boolean()),
  {
    maxLength: 3,
  },
);

const { schema } = fc.letrec<{ schema: unknown; object: unknown }>((tie) => {
  const sub = tie('schema');
  const list = fc.array(sub, { maxLength: 3 });
  const members = {
    type: sometimes(12, fc.oneof(type, fc.array(type, { maxLength: 3 })), fc.constantFrom('date', 3, null)),
    properties: sometimes(15, mapOf(sub), rubbish),
    required: sometimes(15, fc.uniqueArray(name, { maxLength: 3 }), rubbish),
    additionalProperties: sometimes(15, fc.oneof(fc.boolean(), sub), rubbish),
    patternProperties: mapOf(sub),
    unevaluatedProperties: fc.boolean(),
    items: sometimes(10, sub, fc.oneof(list, rubbish)),
    prefixItems: list,
    anyOf: sometimes(15, list, rubbish),
    oneOf: list,
    allOf: list,
    not: sub,
    if: sub,
    else: sub,
    $ref: ref,
    enum: sometimes(15, values, rubbish),
    const: fc.constantFrom<unknown>('x', 1, 1.5, null, true, {}, []),
    format: fc.constantFrom('uri', 'uuid', 'date'),
    description: fc.string({ maxLength: 5 }),
    $defs: mapOf(sub),
    definitions: mapOf(sub),
    $anchor: fc.constant('anchor'),
    $schema: fc.constantFrom('http://json-schema.org/draft-07/schema#', 'https://json-schema.org/draft/2020-12/schema'),
    minItems: sometimes(5, fc.nat(3), rubbish),
  } satisfies Record<string, fc.Arbitrary<unknown>>;
  const keywords = fc.uniqueArray(fc.constantFrom(...(Object.keys(members) as (keyof typeof members)[])), {
    maxLength: 5,
  });
  const object = keywords.chain((chosen) =>
    fc
      .tuple(...chosen.map((keyword) => members[keyword]))
      .map((held) => Object.fromEntries(chosen.map((keyword, index) => [keyword, held[index]]))),
  );
  return {
    object,
    schema: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.oneof(fc.record({ type }), fc.constant({}), fc.boolean()),
      tie('object'),
    ),
  };
});

/** A schema as a careless or hostile server might send it: mostly well-formed, with every keyword, and some rubbish. */
export const anySchema: fc.Arbitrary<unknown> = schema;

/** The same, with the root of an ordinary tool. */
export const toolSchema: fc.Arbitrary<Record<string, unknown>> = fc
  .record({
    properties: mapOf(schema),
    rest: fc.record(
      {
        required: fc.uniqueArray(name, { maxLength: 3 }),
        additionalProperties: fc.boolean(),
        $defs: mapOf(schema),
        anyOf: fc.array(schema, { maxLength: 2 }),
      },
      { requiredKeys: [] },
    ),
  })
  .map(({ properties, rest }) => ({ type: 'object', properties, ...rest }));

const tidy = fc.letrec<{ schema: Record<string, unknown>; object: Record<string, unknown> }>((tie) => {
  const sub = tie('schema');
  const leaf = fc.oneof(
    fc.record({ type: fc.constantFrom('string', 'number', 'integer', 'boolean') }),
    fc.record({ enum: fc.uniqueArray(fc.constantFrom('a', 'b', 1, null), { minLength: 1 }) }),
    fc.record({ const: fc.constantFrom('a', 1, null) }),
    fc.record({ $ref: fc.constantFrom('#/$defs/a', '#/$defs/b') }),
    fc.record({ type: fc.constant(['string', 'null']), description: fc.string({ maxLength: 5 }) }),
  );
  const object = fc
    .record({
      properties: mapOf(sub),
      closed: fc.option(fc.constant(false), { nil: undefined }),
      typed: fc.integer({ min: 0, max: 5 }),
    })
    .map(({ properties, closed, typed }) => ({
      ...(typed === 0 ? {} : { type: 'object' }),
      properties,
      required: Object.keys(properties).slice(1),
      ...(closed === undefined ? {} : { additionalProperties: closed }),
    }));
  return {
    object,
    schema: fc.oneof(
      { maxDepth: 4 },
      { weight: 3, arbitrary: leaf },
      { weight: 2, arbitrary: tie('object') },
      { weight: 1, arbitrary: fc.record({ type: fc.constant('array'), items: sub }) },
      { weight: 1, arbitrary: fc.record({ anyOf: fc.array(sub, { minLength: 1, maxLength: 3 }) }) },
    ),
  };
});

/** A well-formed schema of a careful author: strict, or strict once it is normalised. */
export const tidySchema: fc.Arbitrary<Record<string, unknown>> = fc
  .record({ root: tidy.object, a: tidy.object, b: tidy.schema })
  .map(({ root, a, b }) => ({ ...root, $defs: { a, b } }));
