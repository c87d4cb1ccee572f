import type { FakeResource, FakeResourceTemplate } from '../definition/resource.js';
import type { JsonObject } from '../json-rpc/message.js';
import { INVALID_PARAMS, RESOURCE_NOT_FOUND, RpcError } from '../json-rpc/rpc-error.js';
import type { Method, MethodTable } from './method.js';
import { page } from './page.js';
import { fillTemplate, matchUriTemplate } from './uri-template.js';

const listedResource = ({ text: _text, blob: _blob, read: _read, extra, ...shown }: FakeResource): JsonObject => ({
  ...shown,
  name: shown.name ?? shown.uri,
  ...extra,
});

const listedTemplate = ({ text: _text, read: _read, ...shown }: FakeResourceTemplate): JsonObject => ({
  ...shown,
  name: shown.name ?? shown.uriTemplate,
});

const list: Method = (params, { world: { offer, options } }) =>
  page('resources', offer.resources.map(listedResource), { cursor: params['cursor'], pageSize: options.pageSize });

const listTemplates: Method = (params, { world: { offer, options } }) =>
  page('resourceTemplates', offer.resourceTemplates.map(listedTemplate), {
    cursor: params['cursor'],
    pageSize: options.pageSize,
  });

const contents = (uri: string, body: { mimeType?: string; text?: string; blob?: string }): JsonObject => ({
  contents: [
    {
      uri,
      ...(body.mimeType === undefined ? {} : { mimeType: body.mimeType }),
      ...(body.blob === undefined ? { text: body.text ?? '' } : { blob: body.blob }),
    },
  ],
});

const read: Method = async (params, { world: { offer }, exchange, call }) => {
  const uri = String(params['uri']);
  const resource = offer.resources.find((candidate) => candidate.uri === uri);
  if (resource !== undefined) return resource.read?.(uri, call()) ?? contents(uri, resource);
  for (const template of offer.resourceTemplates) {
    const variables = matchUriTemplate(template.uriTemplate, uri);
    if (variables === undefined) continue;
    if (template.read !== undefined) return await template.read(variables, uri, call());
    return contents(uri, { ...template, text: fillTemplate(template.text ?? '', variables) });
  }
  const code = exchange.era === 'modern' ? INVALID_PARAMS : RESOURCE_NOT_FOUND;
  throw new RpcError(code, 'Resource not found', { data: { uri } });
};

export const resourceMethods: MethodTable = {
  'resources/list': list,
  'resources/templates/list': listTemplates,
  'resources/read': read,
};
