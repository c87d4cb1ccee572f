import { describe, expect, it } from 'vitest';
import golden from './golden/letta.json' with { type: 'json' };
import { gradeSchema } from './grade-schema.js';

/** `/properties/a/anyOf/0` as the original writes it: `root.properties.a.anyOf[0]`. */
const originalPath = (pointer: string): string =>
  `root${pointer.replaceAll('/', '.').replaceAll(/\.(anyOf|oneOf|allOf)\.(\d+)/gu, '.$1[$2]')}`;

const graded = (schema: unknown) => {
  const { status, reasons } = gradeSchema(schema, { profile: 'letta' });
  return { status, rules: reasons.map(({ rule, pointer }) => ({ rule, path: originalPath(pointer) })) };
};

describe('profile letta', () => {
  it.each(golden.validator)('says of "$case" what the original says', ({ schema, status, rules }) => {
    expect(graded(schema)).toEqual({ status, rules });
  });

  it.each(golden.generator)('grades the generated "$case" alike', ({ parameters, status, rules }) => {
    expect(graded(parameters)).toEqual({ status, rules });
  });
});
