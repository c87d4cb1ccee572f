import type { RJSFSchema } from '@rjsf/utils';
import { describe, expect, it } from 'vitest';
import { problemsOf, schemaValidator } from './schema-validator.js';

const schema: RJSFSchema = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, 'a/b': { type: 'integer', minimum: 1 } },
};

describe('the check of a form', () => {
  it('accepts what fits', () => {
    expect(schemaValidator.validateFormData({ name: 'x' }, schema).errors).toEqual([]);
    expect(schemaValidator.isValid(schema, { name: 'x' }, schema)).toBe(true);
  });

  it('says where something does not fit', () => {
    const { errors } = schemaValidator.validateFormData({ name: 3, 'a/b': 0 }, schema);
    expect(errors.map(({ property }) => property)).toEqual(['.name', '.a/b']);
    expect(schemaValidator.rawValidation(schema, {}).errors).toHaveLength(1);
  });

  it('tells what to do, at the field that needs it', () => {
    const told = (data: object): readonly (readonly [string | undefined, string | undefined])[] =>
      schemaValidator
        .validateFormData(data, {
          type: 'object',
          required: ['name', 'inner'],
          properties: {
            name: { type: 'string' },
            size: { enum: ['s', 'm'] },
            inner: { type: 'object', required: ['deep'], properties: { deep: { type: 'integer', minimum: 2 } } },
          },
        })
        .errors.map(({ property, message }) => [property, message]);
    expect(told({})).toEqual([
      ['.name', 'Fill this in.'],
      ['.inner', 'Fill this in.'],
    ]);
    expect(told({ name: 3, inner: {}, size: 'x' })).toEqual(
      expect.arrayContaining([
        ['.name', 'Must be of the type string.'],
        ['.inner.deep', 'Fill this in.'],
        ['.size', 'Choose one of the values.'],
      ]),
    );
    expect(told({ name: '', inner: { deep: 1 } })).toEqual([['.inner.deep', expect.stringMatching(/^(?!Instance)/u)]]);
  });

  it('names the problems of a result', () => {
    const schema = { type: 'object', required: ['n', 'm'], properties: { n: { type: 'number' } } };
    expect(problemsOf(schema, { n: 1, m: 2 })).toEqual([]);
    expect(problemsOf(schema, { n: 'one' })).toEqual([
      expect.stringContaining('"m"'),
      expect.stringMatching(/^n: The value type "string" is invalid/u),
    ]);
    expect(problemsOf({ $ref: '#/nowhere' }, {})).toEqual([]);
  });

  it('leaves a schema that is broken to the server', () => {
    expect(schemaValidator.isValid({ $ref: '#/nowhere' }, {}, {})).toBe(true);
  });
});
