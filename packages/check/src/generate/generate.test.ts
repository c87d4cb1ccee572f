import { validateArguments } from '@plugboard/schema';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { argumentsArbitrary } from './arbitrary.js';
import { exampleArguments } from './example.js';
import { invalidArguments } from './invalid.js';

const bounds = (least: string, most: string, min: number, max: number) =>
  fc
    .tuple(
      fc.option(fc.integer({ min, max }), { nil: undefined }),
      fc.option(fc.integer({ min: max, max: max * 2 + 1 }), { nil: undefined }),
    )
    .map(([low, high]) => ({
      ...(low === undefined ? {} : { [least]: low }),
      ...(high === undefined ? {} : { [most]: high }),
    }));

const text = fc.oneof(
  bounds('minLength', 'maxLength', 0, 12).map((limits) => ({ type: 'string', ...limits })),
  fc
    .uniqueArray(fc.stringMatching(/^[a-z]{1,6}$/u), { minLength: 1, maxLength: 4 })
    .map((values) => ({ type: 'string', enum: values })),
  fc
    .constantFrom('^[a-z]+$', '^[0-9]{3}$', '.*', '^[A-Z]')
    .map((pattern) => ({ type: 'string', pattern, examples: ['Abc', '123'] })),
);
const number = fc
  .tuple(
    fc.constantFrom('integer', 'number'),
    fc.oneof(bounds('minimum', 'maximum', -20, 20), bounds('exclusiveMinimum', 'exclusiveMaximum', -20, 20)),
  )
  .filter(
    ([, limits]) =>
      !(
        'exclusiveMinimum' in limits &&
        'exclusiveMaximum' in limits &&
        limits['exclusiveMaximum'] - limits['exclusiveMinimum'] < 2
      ),
  )
  .map(([type, limits]) => ({ type, ...limits }));
const plain = fc.oneof(
  text.filter((one) => !('pattern' in one)),
  number,
  fc.constant({ type: 'boolean' }),
);
const list = fc
  .tuple(plain, bounds('minItems', 'maxItems', 0, 3))
  .map(([items, limits]) => ({ type: 'array', items, ...limits }));

const object = (part: fc.Arbitrary<object>): fc.Arbitrary<Record<string, unknown>> =>
  fc
    .tuple(fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/u), part, { maxKeys: 4, noNullPrototype: true }), fc.boolean())
    .chain(([properties, closed]) =>
      fc.subarray(Object.keys(properties)).map((required) => ({
        type: 'object',
        properties,
        required,
        ...(closed ? { additionalProperties: false } : {}),
      })),
    );

const schemas = object(fc.oneof(plain, list, object(plain)));
const fits = (schema: unknown, args: unknown): boolean => validateArguments(schema, args).ok;

/** Each schema is compiled, which takes its time. */
const RUNS = { numRuns: 40 };

describe('arguments', () => {
  test('the plainest ones fit the schema', () => {
    fc.assert(
      fc.property(schemas, (schema) => {
        expect(fits(schema, exampleArguments(schema))).toBe(true);
      }),
      RUNS,
    );
  });

  test('generated ones fit the schema', () => {
    fc.assert(
      fc.property(
        schemas.chain((schema) => argumentsArbitrary(schema).map((args) => ({ schema, args }))),
        ({ schema, args }) => {
          expect(fits(schema, args)).toBe(true);
        },
      ),
      RUNS,
    );
  });

  test('invalid ones do not, each for a reason that it names', () => {
    const some = object(fc.oneof(text, number, list, object(plain)));
    fc.assert(
      fc.property(some, (schema) => {
        const invalid = invalidArguments(schema, exampleArguments(schema));
        expect(invalid.filter(({ args }) => fits(schema, args))).toEqual([]);
        expect(invalid.every(({ why }) => why.length > 0)).toBe(true);
      }),
      RUNS,
    );
  });

  test('the same seed generates the same, and a failure shrinks to what matters', () => {
    const schema = {
      type: 'object',
      properties: { text: { type: 'string' }, size: { type: 'integer' } },
      required: ['text'],
    };
    const generated = (seed: number) => fc.sample(argumentsArbitrary(schema), { seed, numRuns: 5 });
    expect(generated(7)).toEqual(generated(7));
    const { counterexample } = fc.check(
      fc.property(argumentsArbitrary(schema), ({ text: value }) => String(value).length < 3),
      { seed: 7 },
    );
    expect(counterexample?.map((args) => [String(args['text']).length, 'size' in args])).toEqual([[3, false]]);
  });
});
