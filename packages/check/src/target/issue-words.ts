import type { z } from 'zod';

const MOST = 5;

const placeOf = (path: readonly PropertyKey[]): string =>
  path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${String(part)}`))
    .join('');

const wordsOf = (issue: z.core.$ZodIssue): string => {
  const place = placeOf(issue.path);
  const subject = place === '' ? 'the file' : place;
  if (issue.code === 'unrecognized_keys') {
    return `${subject} has unknown keys: ${issue.keys.map((key) => `"${key}"`).join(', ')}`;
  }
  if (issue.code === 'invalid_type' && issue.message.endsWith('received undefined')) return `${subject} is missing`;
  return `${subject}: ${issue.message}`;
};

/** What is wrong with a file, for the person who wrote it. */
export const issueWords = ({ issues }: z.core.$ZodError): string => {
  const more = issues.length > MOST ? `; and ${issues.length - MOST} more` : '';
  return `${issues.slice(0, MOST).map(wordsOf).join('; ')}${more}.`;
};
