import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { validate } from './validate.js';

const refusal = (schema: z.ZodType, value: unknown): { message: string; details: unknown } => {
  try {
    validate(schema, value, 'body');
  } catch (error) {
    return error as { message: string; details: unknown };
  }
  throw new Error('nothing was refused');
};

describe('a refusal', () => {
  it.each([
    [z.object({ a: z.enum(['x', 'y']) }), { a: 'z' }, '"a" in the body must be one of x, y.'],
    [z.object({ a: z.literal(1) }), { a: 2 }, '"a" in the body must be 1.'],
    [z.object({ a: z.number().multipleOf(2) }), { a: 3 }, '"a" in the body'],
    [
      z.object({ a: z.union([z.string(), z.number()]) }),
      { a: true },
      '"a" in the body fits none of the allowed forms.',
    ],
    [z.object({ a: z.string().regex(/^y/u) }), { a: 'x' }, '"a" in the body does not have the required form.'],
    [z.object({ a: z.uuid() }), { a: 'x' }, '"a" in the body must be a UUID.'],
    [z.object({ a: z.iso.datetime() }), { a: 'x' }, '"a" in the body must be a date and time such as 2026-11-01T'],
    [z.object({ a: z.url() }), { a: 'x' }, '"a" in the body must be a URL such as https://host.example/path.'],
    [z.object({ a: z.array(z.number()).min(2) }), { a: [1] }, '"a" in the body must be at least 2 entries.'],
    [z.object({ a: z.string().min(2) }), { a: '' }, '"a" in the body must be at least 2 characters long.'],
    [z.object({ a: z.number().max(5) }), { a: 6 }, '"a" in the body must be at most 5.'],
    [z.record(z.string().max(2), z.string()), { abc: 'x' }, '"abc" in the body must be at most 2 characters long.'],
    [z.array(z.object({ b: z.string() })), [{ b: 1 }], '"[0].b" in the body must be of type string.'],
    [z.string(), 5, 'The body must be of type string.'],
  ])('names the field and the rule: %#', (schema, value, message) => {
    expect(refusal(schema, value).message).toContain(message);
  });

  it('never breaks a line or grows without bound, whatever the keys are', () => {
    const key = `a\r\n\u2028${'x'.repeat(1000)}`;
    const { message } = refusal(z.strictObject({}), { [key]: 1 });
    expect(message).not.toMatch(/[\r\n\u2028]/u);
    expect(message.length).toBeLessThan(300);
  });

  it('lists twenty findings at most', () => {
    const value = Object.fromEntries(Array.from({ length: 100 }, (_none, index) => [`k${index}`, 1]));
    expect(refusal(z.strictObject({}), value).details).toMatchObject({ issues: { length: 20 } });
  });
});
