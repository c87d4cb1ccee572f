import { isJsonObject } from '@plugboard/base';
import type { EnvironmentModel, Variable } from '../model/collection-model.js';
import { soundsSecret } from './sounds-secret.js';

const variableOf = (entry: unknown): readonly Variable[] => {
  if (!isJsonObject(entry) || typeof entry['key'] !== 'string' || entry['enabled'] === false) return [];
  const value = entry['value'];
  return [
    {
      key: entry['key'],
      value: typeof value === 'string' ? value : JSON.stringify(value ?? ''),
      secret: entry['type'] === 'secret' || soundsSecret(entry['key']),
    },
  ];
};

/** A Postman environment, or a file of globals. */
export const readEnvironment = (id: string, data: Readonly<Record<string, unknown>>): EnvironmentModel => {
  const values = Array.isArray(data['values']) ? data['values'] : [];
  const name = typeof data['name'] === 'string' && data['name'] !== '' ? data['name'] : id;
  return { id, name, variables: values.flatMap(variableOf) };
};
