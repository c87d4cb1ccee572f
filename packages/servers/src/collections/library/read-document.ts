import { isJsonObject } from '@plugboard/base';
import { parse } from 'yaml';
import { CollectionError } from '../collections-error.js';
import type { CollectionModel, EnvironmentModel, Variable } from '../model/collection-model.js';
import { soundsSecret } from '../postman/sounds-secret.js';

export type LibraryDocument =
  | { readonly kind: 'collection'; readonly collection: CollectionModel }
  | { readonly kind: 'environment'; readonly environment: EnvironmentModel }
  /** A document of something else, which may lie in the directory too. */
  | { readonly kind: 'other' };

const MAX_ALIASES = 100;

const parseText = (id: string, text: string): unknown => {
  try {
    return /\.json$/iu.test(id) ? JSON.parse(text) : parse(text, { maxAliasCount: MAX_ALIASES });
  } catch {
    throw new CollectionError('COLLECTION_INVALID', 'The file cannot be read as JSON or YAML.');
  }
};

/** The libraries behind these are large: they are loaded when the first document of their kind is read. */
const openApi = () => import('../openapi/read-openapi.js');
const postman = () => import('../postman/read-postman.js');

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
const readEnvironment = (id: string, data: Readonly<Record<string, unknown>>): EnvironmentModel => {
  const values = Array.isArray(data['values']) ? data['values'] : [];
  const name = typeof data['name'] === 'string' && data['name'] !== '' ? data['name'] : id;
  return { id, name, variables: values.flatMap(variableOf) };
};

export const readDocument = async (id: string, text: string): Promise<LibraryDocument> => {
  const data = parseText(id, text);
  if (!isJsonObject(data)) return { kind: 'other' };
  if ('openapi' in data) return { kind: 'collection', collection: await (await openApi()).readOpenApi(id, data) };
  if (
    data['_postman_variable_scope'] !== undefined ||
    (Array.isArray(data['values']) && typeof data['name'] === 'string')
  ) {
    return { kind: 'environment', environment: readEnvironment(id, data) };
  }
  if (isJsonObject(data['info']) && Array.isArray(data['item'])) {
    return { kind: 'collection', collection: (await postman()).readPostman(id, data) };
  }
  return { kind: 'other' };
};
