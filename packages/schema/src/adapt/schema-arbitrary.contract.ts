import * as fc from 'fast-check';

type Schema = Record<string, unknown>;

/** Drops members that were not generated. */
const compact = (record: Readonly<Record<string, unknown>>): Schema =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));

const maybe = <Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.option(arbitrary, { nil: undefined, freq: 2 });

const texts = { title: maybe(fc.constantFrom('Title', 'x')), description: maybe(fc.constantFrom('A text.', 'b')) };

const record = (members: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<Schema> =>
  fc.record({ ...texts, ...members }).map(compact);

export const propertyKey = fc.constantFrom(
  'a',
  'b',
  'c',
  'id',
  'name',
  '$filter',
  'a b',
  'a-b',
  'a.b',
  'ü',
  '',
  '1st',
  '__proto__',
  'constructor',
  'x'.repeat(70),
);

const scalar = fc.oneof(
  fc.constantFrom<unknown>('x', 'y', '', '1', 'null', 1, 2, 1.5, true, false, null),
  fc.constantFrom<unknown>({ a: 1 }, [1]),
);

const stringSchema = record({
  type: fc.constant('string'),
  minLength: maybe(fc.constantFrom(0, 1, 2)),
  maxLength: maybe(fc.constantFrom(4, 8)),
  format: maybe(fc.constantFrom('uri', 'date', 'date-time', 'email', 'uuid')),
  default: maybe(fc.constant('x')),
});

const numberSchema = record({
  type: fc.constantFrom('number', 'integer'),
  minimum: maybe(fc.constantFrom(0, -3)),
  maximum: maybe(fc.constantFrom(10, 20)),
  exclusiveMinimum: maybe(fc.constantFrom(-1, 1)),
  multipleOf: maybe(fc.constantFrom(1, 2)),
});

const enumSchema = fc.uniqueArray(scalar, { minLength: 1, maxLength: 4, selector: (value) => JSON.stringify(value) });

const leaf = fc.oneof(
  stringSchema,
  numberSchema,
  record({ type: fc.constantFrom('boolean', 'null') }),
  record({ enum: enumSchema }),
  record({ const: scalar }),
  record({}),
  record({ type: fc.constant(['string', 'null']), default: maybe(fc.constant(null)) }),
  record({ type: fc.constant(['string', 'number', 'array', 'object']) }),
  record({ type: fc.constant('object') }),
  record({ type: fc.constant('array') }),
  fc.constant<Schema>({ $ref: '#/$defs/node' }),
  fc.constant<Schema>({ $ref: '#/$defs/plain', description: 'Here.' }),
);

interface Tied {
  readonly schema: Schema;
  readonly object: Schema;
}

const { schema, object } = fc.letrec<Tied>((tie): fc.LetrecValue<Tied> => ({
  schema: fc.oneof(
    { maxDepth: 2, depthIdentifier: 'schema' },
    leaf,
    tie('object'),
    record({
      type: fc.constant('array'),
      items: tie('schema'),
      minItems: maybe(fc.constantFrom(0, 1, 2)),
      maxItems: maybe(fc.constantFrom(2, 3)),
      uniqueItems: maybe(fc.boolean()),
    }),
    record({ type: fc.constant('array'), prefixItems: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
    record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    record({ oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    record({ allOf: fc.array(tie('object'), { minLength: 1, maxLength: 2 }) }),
    record({ type: fc.constant('object'), additionalProperties: tie('schema') }),
    record({
      type: fc.constant('object'),
      additionalProperties: tie('schema'),
      minProperties: fc.constant(1),
      propertyNames: maybe(fc.constant({ type: 'string', maxLength: 20 })),
    }),
  ) as fc.Arbitrary<Schema>,
  object: fc
    .record({
      properties: fc.dictionary(
        propertyKey,
        fc.oneof<fc.MaybeWeightedArbitrary<unknown>[]>({ weight: 20, arbitrary: tie('schema') }, fc.constant(true)),
        {
          maxKeys: 3,
        },
      ),
      additional: maybe(fc.oneof(fc.boolean(), tie('schema'))),
      chosen: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
      extra: fc.constantFrom<Schema>({}, {}, {}, {}, { not: { required: ['zzz'] } }, { minProperties: 1 }),
    })
    .map(({ properties, additional, chosen, extra }) => {
      const required = Object.keys(properties).filter((_, index) => chosen[index]);
      return compact({
        type: 'object',
        properties,
        additionalProperties: additional,
        required: required.length > 0 ? required : undefined,
        ...extra,
      });
    }),
}));

/** Root schemas of every kind that servers publish, and some that they should not. */
export const toolSchema: fc.Arbitrary<unknown> = fc
  .record({
    root: fc.oneof(
      { weight: 8, arbitrary: object },
      { weight: 1, arbitrary: fc.record({ anyOf: fc.array(object, { minLength: 1, maxLength: 3 }) }) },
      { weight: 1, arbitrary: schema },
    ),
    node: object,
    plain: leaf.filter((value) => !('$ref' in value)),
    dialect: maybe(
      fc.constantFrom('http://json-schema.org/draft-07/schema#', 'https://json-schema.org/draft/2020-12/schema'),
    ),
  })
  .map(({ root, node, plain, dialect }) => {
    const text = JSON.stringify(root) + JSON.stringify(node);
    const defs = text.includes('#/$defs/') ? { $defs: { node, plain } } : {};
    return compact({ ...(dialect === undefined ? {} : { $schema: dialect }), ...root, ...defs });
  });
