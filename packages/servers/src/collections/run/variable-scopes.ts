import postman from 'postman-collection';
import type { Variable } from '../library/collection-model.js';

export type Values = Readonly<Record<string, string>>;

/** As Postman has them; the later ones win. */
export interface VariableScopes {
  readonly globals: Values;
  readonly collection: Values;
  readonly environment: Values;
  /** Given with the call, and set by scripts for this run only. */
  readonly local: Values;
}

export const valuesOf = (variables: readonly Variable[]): Values =>
  Object.fromEntries(variables.map(({ key, value }) => [key, value]));

export const merged = ({ globals, collection, environment, local }: VariableScopes): Values => ({
  ...globals,
  ...collection,
  ...environment,
  ...local,
});

/** `{{name}}` becomes its value, also within values; `{{$guid}}` and its like are made up by Postman's library. */
export const substitute = (text: string, values: Values): string => postman.Property.replaceSubstitutions(text, values);

const REFERENCE = /\{\{(?<name>[^{}]+)\}\}/gu;

/** Names that are still there. */
export const unresolvedIn = (texts: readonly string[]): readonly string[] => {
  const names = texts.flatMap((text) => [...text.matchAll(REFERENCE)].map(({ groups }) => groups?.['name'] ?? ''));
  return [...new Set(names)].sort();
};
