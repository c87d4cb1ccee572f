import postman, { type Body, type Described, type Entry, type Group, type Item } from 'postman-collection';
import { CollectionError } from '../collections-error.js';
import type { CollectionModel, KeyValue, RequestAuth, RequestBody, RequestModel } from '../library/collection-model.js';
import { isRecord } from '../library/is-record.js';
import { soundsSecret } from './sounds-secret.js';
import { uniqueId } from './unique-id.js';

const SCHEMA = /\/v2\.[01]\.\d\//u;
const MAX_REQUESTS = 2000;

/** A Postman collection v2.0 or v2.1, read with Postman's own library. */
export const readPostman = (id: string, data: Readonly<Record<string, unknown>>): CollectionModel => {
  const schema = isRecord(data['info']) ? data['info']['schema'] : undefined;
  if (typeof schema === 'string' && !SCHEMA.test(schema))
    throw new CollectionError('COLLECTION_INVALID', 'The collection is of a version other than 2.0 and 2.1.');
  const collection = new postman.Collection(data);
  const items: Item[] = [];
  collection.forEachItem((item) => items.push(item));
  if (items.length > MAX_REQUESTS)
    throw new CollectionError('COLLECTION_INVALID', `The collection has more than ${MAX_REQUESTS} requests.`);
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
      .filter((variable) => isRecord(variable) && variable['type'] === 'secret')
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
    method: request.method.toUpperCase(),
    // With its variables the library would put them in as they stand; they are made safe for a path later.
    url: new postman.Url({ ...request.url.toJSON(), variable: [] }).toString(),
    pathVariables: enabled(request.url.variables.all()),
    headers: enabled(request.headers.all()),
    body: bodyOf(request.body),
    auth: authOf(item),
    scripts: { before: scriptsOf([...ancestors, item], 'prerequest'), after: scriptsOf([...ancestors, item], 'test') },
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

const authOf = (item: Item): RequestAuth | undefined => {
  const auth = item.getAuth();
  if (auth === undefined || auth.type === 'noauth') return undefined;
  const parameters = Object.entries(auth.parameters().toObject()).map(([key, value]) => [key, textOf(value)]);
  return { type: auth.type, parameters: Object.fromEntries(parameters) as Record<string, string> };
};

const LANGUAGES: Readonly<Record<string, string>> = {
  json: 'application/json',
  xml: 'application/xml',
  html: 'text/html',
  javascript: 'application/javascript',
  text: 'text/plain',
};

const bodyOf = (body: Body | undefined): RequestBody => {
  if (body === undefined || body.disabled === true) return { mode: 'none' };
  switch (body.mode) {
    case 'raw': {
      const contentType = LANGUAGES[body.options?.raw?.language ?? ''];
      const text = body.raw ?? '';
      return text === ''
        ? { mode: 'none' }
        : { mode: 'raw', text, ...(contentType === undefined ? {} : { contentType }) };
    }
    case 'urlencoded':
      return { mode: 'urlencoded', fields: enabled(body.urlencoded?.all() ?? []) };
    case 'formdata': {
      const fields = body.formdata?.all() ?? [];
      if (fields.some(({ type, disabled }) => type === 'file' && disabled !== true)) return { mode: 'file' };
      return { mode: 'formdata', fields: enabled(fields) };
    }
    case 'graphql':
      return { mode: 'graphql', query: body.graphql?.query ?? '', variables: textOf(body.graphql?.variables ?? '') };
    case 'file':
      return { mode: 'file' };
    case undefined:
    default:
      return { mode: 'none' };
  }
};

const enabled = (entries: readonly Entry[]): readonly KeyValue[] =>
  entries
    .filter(({ disabled }) => disabled !== true)
    .map(({ key, value }) => ({ key: key ?? '', value: textOf(value) }))
    .filter(({ key }) => key !== '');

const textOf = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

const descriptionOf = ({ description }: Described): string => {
  if (description === undefined) return '';
  return typeof description === 'string' ? description : description.toString();
};
