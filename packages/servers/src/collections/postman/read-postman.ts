import { isJsonObject } from '@plugboard/base';
import postman, { type Described, type Group, type Item } from 'postman-collection';
import { CollectionError } from '../collections-error.js';
import type { CollectionModel, RequestBehaviour, RequestModel } from '../model/collection-model.js';
import { enabled, readAuth, readRequest } from './read-request.js';
import { soundsSecret } from './sounds-secret.js';
import { uniqueId } from '../model/unique-id.js';

const SCHEMA = /\/v2\.[01]\.\d\//u;
const MAX_REQUESTS = 2000;

/** A Postman collection v2.0 or v2.1, read with Postman's own library. */
export const readPostman = (id: string, data: Readonly<Record<string, unknown>>): CollectionModel => {
  const schema = isJsonObject(data['info']) ? data['info']['schema'] : undefined;
  if (typeof schema === 'string' && !SCHEMA.test(schema)) {
    throw new CollectionError('COLLECTION_INVALID', 'The collection is of a version other than 2.0 and 2.1.');
  }
  const collection = new postman.Collection(data);
  const items: Item[] = [];
  collection.forEachItem((item) => items.push(item));
  if (items.length > MAX_REQUESTS) {
    throw new CollectionError('COLLECTION_INVALID', `The collection has more than ${MAX_REQUESTS} requests.`);
  }
  const take = uniqueId();
  const secrets = secretsIn(data['variable']);
  return {
    id,
    kind: 'postman',
    name: collection.name ?? id,
    description: descriptionOf(collection),
    variables: enabled(collection.variables.all()).map(({ key, value }) => ({
      key,
      value,
      secret: secrets.has(key) || soundsSecret(key),
    })),
    requests: items.map((item) => readItem(item, take)),
  };
};

/** The library forgets which variables are secret. */
const secretsIn = (variables: unknown): ReadonlySet<unknown> =>
  new Set(
    (Array.isArray(variables) ? variables : [])
      .filter((variable) => isJsonObject(variable) && variable['type'] === 'secret')
      .map((variable: Record<string, unknown>) => variable['key']),
  );

const readItem = (item: Item, take: (id: string) => string): RequestModel => {
  const { request } = item;
  const ancestors = ancestorsOf(item);
  const folder = ancestors.slice(1).map(({ name }) => name ?? 'folder');
  const name = item.name ?? request.method;
  return {
    id: take([...folder, name].join(' / ')),
    name,
    folder,
    description: descriptionOf(request),
    itemId: item.id,
    ...readRequest(request),
    auth: readAuth(item.getAuth()),
    behaviour: behaviourOf(item),
    scripts: { before: scriptsOf([...ancestors, item], 'prerequest'), after: scriptsOf([...ancestors, item], 'test') },
  };
};

const behaviourOf = (item: Item): RequestBehaviour => {
  const { followRedirects, disableBodyPruning } = item.getProtocolProfileBehaviorResolved();
  return {
    ...(typeof followRedirects === 'boolean' ? { followRedirects } : {}),
    ...(typeof disableBodyPruning === 'boolean' ? { disableBodyPruning } : {}),
  };
};

/** From the collection down to the folder of the item. */
const ancestorsOf = (item: Item): readonly Group[] => {
  const chain: Group[] = [];
  for (let at = item.parent(); at !== undefined; at = at.parent()) chain.unshift(at);
  return chain;
};

const scriptsOf = (chain: readonly Group[], listen: 'prerequest' | 'test'): readonly string[] =>
  chain
    .flatMap(({ events }) => events.all())
    .filter((event) => event.listen === listen && event.disabled !== true)
    .map(({ script }) => script?.toSource() ?? '')
    .filter((source) => source.trim() !== '');

const descriptionOf = ({ description }: Described): string => {
  if (description === undefined) return '';
  return typeof description === 'string' ? description : description.toString();
};
