import { PlugboardError, type SurfaceHint } from '@plugboard/contract';
import type { z } from 'zod';
import { describeIssue } from './describe-issue.js';

const MAX_ISSUES = 20;

export type InputPlace = 'body' | 'query';

const HINTS: Readonly<Record<InputPlace, SurfaceHint>> = {
  body: {
    api: 'Correct or remove the named field; GET /openapi.json describes the body.',
    cli: 'Correct or remove the named option; the command with --help lists its options.',
  },
  query: {
    api: 'Correct or leave out the named parameter; GET /openapi.json lists the parameters.',
    cli: 'Correct or remove the named option; the command with --help lists its options.',
  },
};

/** Parses what came from outside, or says which field is wrong. Values are never repeated: they may be secrets. */
export const validate = <Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  place: InputPlace,
): z.output<Schema> => {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.flatMap(describeIssue);
  const first = issues[0] ?? { path: '', message: 'is not valid' };
  const others = issues.length > 1 ? `; ${issues.length - 1} more ${issues.length > 2 ? 'are' : 'is'} wrong` : '';
  const subject = first.path === '' ? `The ${place}` : `"${first.path}" in the ${place}`;
  throw new PlugboardError('VALIDATION_FAILED', `${subject} ${first.message}${others}.`, {
    hint: HINTS[place],
    details: { issues: issues.slice(0, MAX_ISSUES) },
  });
};
