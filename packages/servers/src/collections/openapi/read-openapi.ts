import { isJsonObject } from '@plugboard/base';
import { dereference, validate } from '@readme/openapi-parser';
import { CollectionError } from '../collections-error.js';
import type {
  CollectionModel,
  RequestModel,
  ResponsePromise,
  Variable,
  RequestBody,
  RequestAuth,
} from '../model/collection-model.js';
import type { KeyValue } from '../../send/outgoing-request.js';
import { uniqueId } from '../model/unique-id.js';
import { followIn, type FollowReference } from './follow-reference.js';
import { listOf, operationsOf, recordOf, textOf, type Operation, type Parameter } from './openapi-shapes.js';
import { asJsonSchema } from './response-schema.js';
import { sampleValue } from './sample-value.js';

const MAX_REQUESTS = 2000;
const MAX_REASON = 200;
/** Nothing is fetched, and nothing beside the document is read. */
const ALONE = { resolve: { external: false }, dereference: { circular: 'ignore' } } as const;

type Data = Readonly<Record<string, unknown>>;

/** An OpenAPI document 3.x as a collection: one request per operation, with examples or small values filled in. */
export const readOpenApi = async (id: string, data: Data): Promise<CollectionModel> => {
  const document = await checked(data);
  const info = recordOf(document['info']);
  const operations = operationsOf(document);
  if (operations.length > MAX_REQUESTS) {
    throw new CollectionError('COLLECTION_INVALID', `The document has more than ${MAX_REQUESTS} operations.`);
  }
  const take = uniqueId();
  return {
    id,
    kind: 'openapi',
    name: textOf(info['title']) || id,
    description: textOf(info['description']),
    variables: variablesOf(document),
    requests: operations.map((operation) => requestOf(operation, document, take)),
  };
};

const checked = async (data: Data): Promise<Data> => {
  if (!/^3\.\d/u.test(textOf(data['openapi']))) {
    throw new CollectionError('COLLECTION_INVALID', 'The document is of a version other than OpenAPI 3.');
  }
  if (hasOutsideReference(data)) {
    throw new CollectionError(
      'COLLECTION_INVALID',
      'The document refers to other files or addresses; bundle it into one.',
    );
  }
  const copy = () => structuredClone(data) as unknown as Parameters<typeof validate>[0];
  const result = await validate(copy(), ALONE);
  if (!result.valid) {
    const [reason = ''] = (result.errors[0]?.message ?? '').split('\n');
    throw new CollectionError(
      'COLLECTION_INVALID',
      `The document does not follow OpenAPI: ${reason.slice(0, MAX_REASON)}`,
    );
  }
  const whole: unknown = await dereference(copy(), ALONE);
  return recordOf(whole);
};

const hasOutsideReference = (value: unknown): boolean => {
  if (Array.isArray(value)) return value.some(hasOutsideReference);
  if (!isJsonObject(value)) return false;
  const reference = value['$ref'];
  if (typeof reference === 'string' && !reference.startsWith('#')) return true;
  return Object.values(value).some(hasOutsideReference);
};

/** `baseUrl` of the first server with the defaults of its variables. */
const variablesOf = (document: Data): readonly Variable[] => {
  const server = recordOf(listOf(document['servers'])[0]);
  const variables = Object.entries(recordOf(server['variables']));
  const url = variables.reduce(
    (text, [name, variable]) => text.replaceAll(`{${name}}`, () => textOf(recordOf(variable)['default'])),
    textOf(server['url']),
  );
  return [{ key: 'baseUrl', value: url.replace(/\/$/u, ''), secret: false }];
};

interface OperationBody {
  readonly body: RequestBody;
  readonly contentType?: string;
}

/** The variable that replaces the body as a whole. */
const BODY_VARIABLE = '{{body}}';

/** The body that the document shows, or the smallest that its schema takes. */
const bodyOf = (requestBody: unknown, follow: FollowReference): OperationBody => {
  const content = Object.entries(recordOf(recordOf(requestBody)['content']));
  const json = content.find(([type]) => /[/+]json\b/u.test(type));
  const [type, media] = json ?? content[0] ?? [];
  if (type === undefined) return { body: { mode: 'none' } };
  const value = exampleOf(recordOf(media), follow);
  if (json !== undefined) {
    return { body: { mode: 'raw', text: JSON.stringify(value ?? {}, null, 2) }, contentType: type };
  }
  if (type === 'application/x-www-form-urlencoded') return { body: { mode: 'urlencoded', fields: fieldsOf(value) } };
  if (type === 'multipart/form-data') return { body: { mode: 'formdata', fields: fieldsOf(value) } };
  return { body: { mode: 'raw', text: typeof value === 'string' ? value : BODY_VARIABLE }, contentType: type };
};

const exampleOf = (media: Readonly<Record<string, unknown>>, follow: FollowReference): unknown => {
  if (media['example'] !== undefined) return media['example'];
  const [first] = Object.values(recordOf(media['examples']));
  return recordOf(first)['value'] ?? sampleValue(media['schema'], follow);
};

const fieldsOf = (value: unknown): readonly KeyValue[] =>
  Object.entries(recordOf(value)).map(([key, field]) => ({
    key,
    value: typeof field === 'string' ? field : JSON.stringify(field),
  }));

/** The first way in that can be used; its secrets are variables: `bearerToken`, `username`, `password`, `apiKey`. */
const authOf = (security: unknown, document: Readonly<Record<string, unknown>>): RequestAuth | undefined => {
  const schemes = recordOf(recordOf(document['components'])['securitySchemes']);
  const choices = listOf(security).map((requirement) => Object.keys(recordOf(requirement)));
  // An empty requirement says that it also works without.
  if (choices.length === 0 || choices.some((names) => names.length === 0)) return undefined;
  const known = choices.flatMap((names) => names.map((name) => schemeAuth(recordOf(schemes[name]))));
  return known.find((auth) => auth.type !== 'unknown') ?? known[0];
};

const schemeAuth = (scheme: Readonly<Record<string, unknown>>): RequestAuth => {
  const type = textOf(scheme['type']);
  const http = textOf(scheme['scheme']).toLowerCase();
  if (type === 'oauth2' || type === 'openIdConnect' || (type === 'http' && http === 'bearer')) {
    return { type: 'bearer', parameters: { token: '{{bearerToken}}' } };
  }
  if (type === 'http' && http === 'basic') {
    return { type: 'basic', parameters: { username: '{{username}}', password: '{{password}}' } };
  }
  const place = textOf(scheme['in']);
  if (type === 'apiKey' && place !== 'cookie') {
    return { type: 'apikey', parameters: { key: textOf(scheme['name']), value: '{{apiKey}}', in: place } };
  }
  return { type: 'unknown', parameters: {} };
};

const requestOf = (operation: Operation, document: Data, take: (id: string) => string): RequestModel => {
  const { method, path, data, parameters } = operation;
  const follow = followIn(document);
  const name = textOf(data['operationId']) || textOf(data['summary']) || `${method.toUpperCase()} ${path}`;
  const folder = listOf(data['tags']).map(textOf).slice(0, 1);
  const sent = parameters.filter(isSent);
  const pairs = (place: string): readonly KeyValue[] =>
    sent.filter((one) => one.in === place).map(({ name: key }) => ({ key, value: `{{${key}}}` }));
  const { body, contentType } = bodyOf(data['requestBody'], follow);
  return {
    id: take([...folder, name].join(' / ')),
    name,
    folder,
    description: textOf(data['description']) || textOf(data['summary']),
    method: method.toUpperCase(),
    url: `{{baseUrl}}${path.replaceAll(/\{(?<name>[^{}]+)\}/gu, ':$<name>')}`,
    pathVariables: pairs('path'),
    query: pairs('query'),
    headers: [...pairs('header'), ...(contentType === undefined ? [] : [{ key: 'Content-Type', value: contentType }])],
    body,
    auth: authOf(data['security'] ?? document['security'], document),
    scripts: { before: [], after: [] },
    defaults: Object.fromEntries(sent.map((one) => [one.name, valueOf(one, follow)])),
    promise: promiseOf(data['responses'], document),
  };
};

/** What may be left out is left out, unless the document shows how it looks. */
const isSent = ({ required, data, in: place }: Parameter): boolean =>
  place === 'path' || required || data['example'] !== undefined;

const valueOf = ({ data }: Parameter, follow: FollowReference): string => {
  const value: unknown = data['example'] ?? sampleValue(data['schema'], follow);
  return typeof value === 'string' ? value : JSON.stringify(value ?? '');
};

const promiseOf = (responses: unknown, document: Data): ResponsePromise => {
  const entries = Object.entries(recordOf(responses)).map(([status, response]) => {
    const content = recordOf(recordOf(response)['content']);
    const json = Object.entries(content).find(([type]) => /[/+]json\b/u.test(type))?.[1];
    const schema = recordOf(json)['schema'];
    return [status.toUpperCase(), isJsonObject(schema) ? { jsonSchema: asJsonSchema(schema, document) } : {}] as const;
  });
  return { byStatus: Object.fromEntries(entries) };
};
