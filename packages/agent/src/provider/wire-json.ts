import { isJsonObject } from '@plugboard/base';
import { classifyFailure } from './error/classify-failure.js';
import { ModelError } from './error/model-error.js';

export type Members = Readonly<Record<string, unknown>>;

export const membersOf = (value: unknown): Members => (isJsonObject(value) ? value : {});

export const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '');

export const objectsIn = (value: unknown): readonly Members[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

/** Some endpoints report errors, or web pages, with status 200. */
export const requireObject = (body: unknown, provider: string): Members => {
  if (!isJsonObject(body)) {
    throw new ModelError('server', {
      provider,
      said: 'the answer is not a JSON object.',
      hint: 'Check the base URL: something other than the API answers there.',
    });
  }
  const { error } = body;
  if (error === undefined || error === null) return body;
  const { message, code, type } = membersOf(error);
  const said = stringOf(message) || JSON.stringify(error);
  throw new ModelError(classifyFailure({ text: [said, code, type].map(stringOf).join(' ') }), { provider, said });
};
