import type { RJSFSchema } from '@rjsf/utils';
import { describe, expect, it } from 'vitest';
import { schemaValidator } from './schema-validator.js';

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

  it('leaves a schema that is broken to the server', () => {
    expect(schemaValidator.isValid({ $ref: '#/nowhere' }, {}, {})).toBe(true);
  });
});
