import type { z } from 'zod';

/** One thing that is wrong with an input, in words. */
export interface InputIssue {
  readonly path: string;
  readonly message: string;
}

type Issue = z.core.$ZodIssue;

const MAX_PATH = 200;

/** Keys come from outside: bounded, and without anything that could break a line. */
const printable = (path: readonly PropertyKey[]): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./u, '')
    .replaceAll(/[\u0000-\u001F\u007F\u2028\u2029]/gu, '\uFFFD')
    .slice(0, MAX_PATH);

const size = (origin: string): string => (origin === 'string' ? ' characters long' : '');
const members = (origin: string): string => (origin === 'array' || origin === 'set' ? ' entries' : size(origin));

const FORMATS: Readonly<Record<string, string>> = {
  datetime: 'a date and time such as 2026-11-01T00:00:00Z',
  url: 'a URL such as https://host.example/path',
  uuid: 'a UUID',
};

const sentence = (issue: Issue): string => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.message.endsWith('received undefined') ? 'is required' : `must be of type ${issue.expected}`;
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return `must be at least ${issue.minimum}${members(issue.origin)}`;
    case 'too_big':
      return `must be at most ${issue.maximum}${members(issue.origin)}`;
    case 'invalid_union':
      return 'options' in issue && Array.isArray(issue.options)
        ? `must be one of ${issue.options.join(', ')}`
        : 'fits none of the allowed forms';
    case 'invalid_key':
      return issue.issues[0] === undefined ? 'is not a legal key' : sentence(issue.issues[0]);
    case 'invalid_format':
      if (!issue.message.startsWith('Invalid')) return issue.message;
      return issue.format in FORMATS ? `must be ${FORMATS[issue.format]}` : 'does not have the required form';
    case 'unrecognized_keys':
    case 'custom':
    case 'invalid_element':
    case 'not_multiple_of':
      return issue.message;
    default:
      issue satisfies never;
      return 'is not valid';
  }
};

/** Unknown fields are one finding each, so that each can be named. */
export const describeIssue = (issue: Issue): readonly InputIssue[] =>
  issue.code === 'unrecognized_keys'
    ? issue.keys.map((key) => ({ path: printable([...issue.path, key]), message: 'is not a known field' }))
    : [{ path: printable(issue.path), message: sentence(issue) }];
