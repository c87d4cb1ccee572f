import {
  pageQuery,
  toolsetCreate,
  toolsetUpdate,
  toolsetView as toolsetViewSchema,
  type Toolset,
  type ToolsetView,
} from '@plugboard/contract';
import type { AdminContext } from '../admin-context.js';
import { endpoint, type Endpoint } from '../endpoint/endpoint.js';
import { answerPage, pageOf, pagedAnswer } from '../paging.js';
import type { DataPlane } from '../../port/data-plane.js';

/** A toolset with its address and what it offers now. */
const toolsetView = (toolset: Toolset, dataPlane: DataPlane): ToolsetView => {
  const offer = dataPlane.toolsetOffer(toolset);
  return {
    ...toolset,
    mcp_path: `/toolsets/${encodeURIComponent(toolset.name)}/mcp`,
    ...(offer === undefined ? {} : { offer }),
  };
};

const all = '/v1/toolsets';
const one = `${all}/{toolset}` as const;

const example = {
  name: 'research',
  entries: [
    {
      server_id: 'mcp_server-00000000-0000-4000-8000-000000000000',
      upstream_name: 'search',
      name: 'find_papers',
      preset_arguments: { collection: 'papers' },
    },
  ],
  read_only: true,
};

const create = ({ registry, dataPlane }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'createToolset',
      method: 'post',
      path: all,
      tag: 'toolsets',
      summary: 'Create a toolset',
      description:
        'A selection of tools with its own MCP endpoint. You may name tools that do not exist yet; `offer` in the response reports the outcome for each entry.',
      body: toolsetCreate,
      bodyExample: example,
      answers: { 200: { description: 'The toolset.', schema: toolsetViewSchema } },
      errors: ['CONFLICT', 'INVALID_ARGUMENT'],
    },
    async ({ body }, c) => c.json(toolsetView(await registry.toolsets.create(body), dataPlane)),
  );

const list = ({ registry, dataPlane }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'listToolsets',
      method: 'get',
      path: all,
      tag: 'toolsets',
      summary: 'List toolsets',
      description: 'Returns all toolsets by name, or one page if `limit` is given.',
      query: pageQuery,
      answers: pagedAnswer('The toolsets.', toolsetViewSchema),
      errors: ['INVALID_ARGUMENT'],
    },
    async ({ query }, c) => {
      const page = await pageOf((part) => registry.toolsets.list(part), query);
      return answerPage(c, page, (toolset) => toolsetView(toolset, dataPlane));
    },
  );

const retrieve = ({ registry, dataPlane }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'retrieveToolset',
      method: 'get',
      path: one,
      tag: 'toolsets',
      summary: 'Show a toolset',
      description:
        '`offer` lists what its endpoint offers now, why an entry is missing, and how many tokens the tools cost.',
      answers: { 200: { description: 'The toolset.', schema: toolsetViewSchema } },
      errors: ['NOT_FOUND'],
    },
    async ({ params }, c) => c.json(toolsetView(await registry.toolsets.get(params.toolset), dataPlane)),
  );

const update = ({ registry, dataPlane }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'updateToolset',
      method: 'patch',
      path: one,
      tag: 'toolsets',
      summary: 'Change a toolset',
      description:
        'Omitted members do not change; `entries` replaces all entries. With `if_updated_at`, only the state that you read is changed.',
      body: toolsetUpdate,
      bodyExample: { exposure: 'search', provider: 'openai-strict' },
      answers: { 200: { description: 'The changed toolset.', schema: toolsetViewSchema } },
      errors: ['NOT_FOUND', 'CONFLICT', 'INVALID_ARGUMENT'],
    },
    async ({ params, body }, c) => c.json(toolsetView(await registry.toolsets.update(params.toolset, body), dataPlane)),
  );

const remove = ({ registry }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'deleteToolset',
      method: 'delete',
      path: one,
      tag: 'toolsets',
      summary: 'Delete a toolset',
      description: 'The tools themselves are not deleted.',
      answers: { 204: { description: 'Deleted.' } },
      errors: ['NOT_FOUND'],
    },
    async ({ params }, c) => {
      await registry.toolsets.delete(params.toolset);
      return c.body(null, 204);
    },
  );

export const toolsetRoutes = (admin: AdminContext): readonly Endpoint[] =>
  [create, list, retrieve, update, remove].map((route) => route(admin));
