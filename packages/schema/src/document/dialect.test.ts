import { describe, expect, it } from 'vitest';
import { dialectOf } from './dialect.js';

describe('dialectOf', () => {
  it.each([
    [{ $schema: 'http://json-schema.org/draft-07/schema#' }, 'draft-07'],
    [{ $schema: 'http://json-schema.org/draft-04/schema#' }, 'draft-07'],
    [{ $schema: 'https://json-schema.org/draft/2020-12/schema' }, '2020-12'],
    [{ $schema: 'https://json-schema.org/draft/2020-12/schema', items: [{}] }, '2020-12'],
    [{ $schema: 'https://json-schema.org/draft/2019-09/schema', items: [{}] }, 'draft-07'],
    [{ $schema: 'https://json-schema.org/draft/2019-09/schema', items: {} }, '2020-12'],
    [{ properties: { a: { items: [{}] } } }, 'draft-07'],
    [{ properties: { a: { items: {} } } }, '2020-12'],
    [true, '2020-12'],
  ])('%j is %s', (schema, dialect) => {
    expect(dialectOf(schema)).toBe(dialect);
  });
});
