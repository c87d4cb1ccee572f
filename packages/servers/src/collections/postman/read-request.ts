import postman, { type Auth, type Body, type Entry, type Request } from 'postman-collection';
import type { FormField, RequestAuth, RequestBody, RequestModel, JsonObject } from '../model/collection-model.js';
import type { KeyValue } from '../../send/outgoing-request.js';

export type RequestParts = Pick<RequestModel, 'method' | 'url' | 'pathVariables' | 'headers' | 'body'> & {
  /** Its own; what it inherits is not known here. */
  readonly auth: RequestAuth | undefined;
  readonly definition: JsonObject;
};

/** What a request in Postman's format says. */
export const readRequest = (request: Request): RequestParts => ({
  method: request.method.toUpperCase(),
  // With its variables the library would put them in as they stand; they are made safe for a path later.
  url: new postman.Url({ ...request.url.toJSON(), variable: [] }).toString(),
  pathVariables: enabled(request.url.variables.all()),
  headers: enabled(request.headers.all()),
  body: bodyOf(request.body),
  auth: readAuth(request.auth),
  definition: request.toJSON() as JsonObject,
});

/** The same for a request that a script changed or made. */
export const readDefinition = (definition: JsonObject): RequestParts => readRequest(new postman.Request(definition));

export const readAuth = (auth: Auth | undefined): RequestAuth | undefined => {
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
    case 'formdata':
      return { mode: 'formdata', fields: (body.formdata?.all() ?? []).flatMap(formFields) };
    case 'graphql':
      return { mode: 'graphql', query: body.graphql?.query ?? '', variables: textOf(body.graphql?.variables ?? '') };
    case 'file':
      return body.file?.content === undefined
        ? { mode: 'file', src: textOf(body.file?.src) }
        : { mode: 'raw', text: body.file.content, contentType: 'application/octet-stream' };
    case undefined:
    default:
      return { mode: 'none' };
  }
};

const formFields = (entry: Entry): readonly FormField[] => {
  const { key, type, src, contentType, disabled } = entry;
  if (disabled === true || key === undefined || key === null || key === '') return [];
  if (type !== 'file') return [{ key, value: textOf(entry.value) }];
  const files = (Array.isArray(src) ? src : [src]).filter((one): one is string => typeof one === 'string');
  return files.map((file) => ({ key, file, contentType }));
};

export const enabled = (entries: readonly Entry[]): readonly KeyValue[] =>
  entries
    .filter(({ disabled }) => disabled !== true)
    .map(({ key, value }) => ({ key: key ?? '', value: textOf(value) }))
    .filter(({ key }) => key !== '');

const textOf = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};
