import { CollectionError } from '../collections-error.js';
import type { RequestAuth, RequestModel } from '../model/collection-model.js';
import type { KeyValue } from '../../send/outgoing-request.js';
import type { OutgoingRequest } from '../../send/outgoing-request.js';
import { encodeBody, type ReadBodyFile } from './encode-body.js';
import { substitute, textOf, unresolvedIn, type Values } from '../model/variable-scopes.js';

const SCHEME = /^[a-z][a-z\d+.-]*:\/\//iu;

/** Fills in variables, authentication and body. Refuses when something that decides where it goes is missing. */
export const resolveRequest = async (
  model: RequestModel,
  given: Values,
  readFile: ReadBodyFile,
): Promise<OutgoingRequest> => {
  const values = { ...model.defaults, ...given };
  const fill = (text: string): string => substitute(text, values);
  const headers = model.headers.map(({ key, value }) => ({ key: fill(key), value: fill(value) }));
  const auth = model.auth === undefined ? undefined : filledAuth(model.auth, fill);
  const address = fill(withPathVariables(model, values));
  const query = (model.query ?? []).map(({ key, value }) => ({ key, value: fill(value) }));
  const texts = [
    ...query.map(({ value }) => value),
    address,
    ...headers.flatMap(({ key, value }) => [key, value]),
    ...Object.values(auth?.parameters ?? {}),
  ];
  const missing = unresolvedIn(texts);
  if (missing.length > 0) {
    throw new CollectionError('VARIABLE_MISSING', `These variables have no value: ${missing.join(', ')}.`);
  }
  const url = urlOf(address);
  for (const { key, value } of query) url.searchParams.append(key, value);
  const secrets: string[] = [];
  const authHeaders = auth === undefined ? [] : applyAuth(auth, url, secrets);
  const { bytes, contentType } = isPruned(model) ? {} : await encodeBody(model.body, { fill, readFile });
  return {
    method: model.method,
    url,
    headers: [...withoutDoubles([...headers, ...authHeaders]), ...contentTypeHeader(headers, contentType)],
    ...(bytes === undefined ? {} : { body: bytes }),
    secrets,
  };
};

/** Postman sends no body with these unless the request asks for it. */
const WITHOUT_BODY = new Set(['GET', 'HEAD', 'COPY', 'PURGE', 'UNLOCK']);
const isPruned = ({ method, behaviour }: RequestModel): boolean =>
  WITHOUT_BODY.has(method) && behaviour?.disableBodyPruning !== true;

const filledAuth = ({ type, parameters }: RequestAuth, fill: (text: string) => string): RequestAuth => ({
  type,
  parameters: Object.fromEntries(Object.entries(parameters).map(([key, value]) => [key, fill(value)])),
});

/** `:name` segments take their own value, else the variable of that name, made safe for a path. */
const withPathVariables = ({ url, pathVariables }: RequestModel, values: Values): string =>
  pathVariables.reduce((text, { key, value }) => {
    const filled = substitute(value, values) || textOf(values[key]);
    // Even encoded, these climb.
    if (filled === '.' || filled === '..') {
      throw new CollectionError('URL_INVALID', `"${filled}" is not a valid value for :${key}.`);
    }
    const segment = filled === '' ? `{{${key}}}` : encoded(filled);
    return text.replaceAll(new RegExp(`/:${escapeRegExp(key)}(?=[/?#]|$)`, 'gu'), () => `/${segment}`);
  }, url);

/** Halves of characters have no encoding; they become the replacement character. */
const encoded = (text: string): string => encodeURIComponent(Buffer.from(text).toString());

const escapeRegExp = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/-]/gu, String.raw`\$&`);

const urlOf = (text: string): URL => {
  const trimmed = text.trim();
  const address = SCHEME.test(trimmed) ? trimmed : `http://${trimmed}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new CollectionError('URL_INVALID');
  }
  url.hash = '';
  return url;
};

const applyAuth = ({ type, parameters }: RequestAuth, url: URL, secrets: string[]): readonly KeyValue[] => {
  const { token = '', username = '', password = '', key = '', value = '' } = parameters;
  switch (type) {
    case 'bearer':
      secrets.push(token);
      return [{ key: 'Authorization', value: `Bearer ${token}` }];
    case 'basic': {
      const encoded = Buffer.from(`${username}:${password}`).toString('base64');
      secrets.push(password, encoded);
      return [{ key: 'Authorization', value: `Basic ${encoded}` }];
    }
    case 'apikey':
      secrets.push(value, encoded(value));
      if (parameters['in'] !== 'query') return key === '' ? [] : [{ key, value }];
      url.searchParams.set(key, value);
      return [];
    default:
      throw new CollectionError('AUTH_NOT_SUPPORTED', `Authentication of the kind "${type}" is not supported.`);
  }
};

/** The later one wins: authentication over a header of the same name. */
const withoutDoubles = (headers: readonly KeyValue[]): readonly KeyValue[] => {
  const last = new Map(headers.map((header) => [header.key.toLowerCase(), header]));
  return [...last.values()];
};

const contentTypeHeader = (headers: readonly KeyValue[], contentType: string | undefined): readonly KeyValue[] =>
  contentType === undefined || headers.some(({ key }) => key.toLowerCase() === 'content-type')
    ? []
    : [{ key: 'Content-Type', value: contentType }];
