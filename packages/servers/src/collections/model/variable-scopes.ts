import postman from 'postman-collection';
import type { JsonValue } from '../../sandbox/isolate/isolate-job.js';
import type { Variable } from './collection-model.js';

export type Values = Readonly<Record<string, JsonValue>>;

/** As Postman has them; the later ones win. */
export interface VariableScopes {
  readonly globals: Values;
  readonly collection: Values;
  readonly environment: Values;
  /** Given with the call and per iteration. */
  readonly data: Values;
  /** Set by scripts for this run only. */
  readonly local: Values;
}

export const valuesOf = (variables: readonly Variable[]): Values =>
  Object.fromEntries(variables.map(({ key, value }) => [key, value]));

export const merged = ({ globals, collection, environment, data, local }: VariableScopes): Values => ({
  ...globals,
  ...collection,
  ...environment,
  ...data,
  ...local,
});

/** Scripts may set variables to anything; in a request they are texts. */
export const textOf = (value: JsonValue | undefined): string => {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** `{{name}}` becomes its value, also within values; `{{$guid}}` and its like are made up by Postman's library. */
export const substitute = (text: string, values: Values): string =>
  postman.Property.replaceSubstitutions(
    text,
    Object.fromEntries(Object.entries(values).map(([key, value]) => [key, textOf(value)])),
  );

const REFERENCE = /\{\{(?<name>[^{}]+)\}\}/gu;

/** Names that are still there. */
export const unresolvedIn = (texts: readonly string[]): readonly string[] => {
  const names = texts.flatMap((text) => [...text.matchAll(REFERENCE)].map(({ groups }) => groups?.['name'] ?? ''));
  return [...new Set(names)].sort();
};
