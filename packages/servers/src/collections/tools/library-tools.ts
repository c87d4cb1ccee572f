import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { CollectionLibrary } from '../library/collection-library.js';
import type { CollectionModel, Variable } from '../model/collection-model.js';
import { answer } from '../../serve/tool-answer.js';
import { guarded } from './guarded.js';

const READ_ONLY = { readOnlyHint: true, idempotentHint: true, openWorldHint: false } as const;
const kind = z.enum(['postman', 'openapi']);

const listShape = z.object({
  collections: z.array(
    z.object({
      id: z.string().describe('The value for `collection` in the other tools.'),
      name: z.string(),
      kind,
      requests: z.number().int(),
      description: z.string(),
    }),
  ),
  environments: z.array(z.object({ id: z.string(), name: z.string(), variables: z.array(z.string()) })),
  problems: z.array(z.object({ id: z.string(), message: z.string() })).describe('Files that cannot be used, and why.'),
});

const detailShape = z.object({
  id: z.string(),
  name: z.string(),
  kind,
  description: z.string(),
  variables: z.array(z.object({ key: z.string(), value: z.string() })),
  requests: z.array(
    z.object({
      id: z.string().describe('The id to pass to run_request as `request`.'),
      name: z.string(),
      folder: z.array(z.string()),
      method: z.string(),
      url: z.string(),
      auth: z.string(),
      has_tests: z.boolean(),
      description: z.string(),
    }),
  ),
});

const MAX_DESCRIPTION = 500;
const short = (text: string): string => (text.length > MAX_DESCRIPTION ? `${text.slice(0, MAX_DESCRIPTION)}…` : text);
const shownValue = ({ value, secret }: Variable): string => (secret ? '•••' : short(value));

export const registerLibraryTools = (server: McpServer, library: CollectionLibrary): void => {
  server.registerTool(
    'list_collections',
    {
      title: 'List collections',
      description: 'Lists the Postman collections, OpenAPI documents and Postman environments that can be used.',
      inputSchema: z.object({}),
      outputSchema: listShape,
      annotations: READ_ONLY,
    },
    async () => guarded(async () => listAnswer(library)),
  );
  server.registerTool(
    'get_collection',
    {
      title: 'Show a collection',
      description: 'Shows the requests of a collection with their ids, and its variables.',
      inputSchema: z.object({ collection: z.string().describe('An id from list_collections.') }),
      outputSchema: detailShape,
      annotations: READ_ONLY,
    },
    async ({ collection }) =>
      guarded(async () => {
        const detail = detailOf(await library.collection(collection));
        const lines = detail.requests.map(({ id, method, url }) => `${method} ${url}  (${id})`);
        return answer(detail, [`${detail.name} (${detail.kind})`, ...lines].join('\n'));
      }),
  );
};

const listAnswer = async (library: CollectionLibrary) => {
  const { collections, environments, problems } = await library.content();
  const listed: z.infer<typeof listShape> = {
    collections: collections.map(({ id, name, kind: one, requests, description }) => ({
      id,
      name,
      kind: one,
      requests: requests.length,
      description: short(description),
    })),
    environments: environments.map(({ id, name, variables }) => ({
      id,
      name,
      variables: variables.map(({ key }) => key),
    })),
    problems: problems.map(({ id, message }) => ({ id, message })),
  };
  const lines = [
    ...listed.collections.map(({ id, name, kind: one, requests }) => `${id}: ${name} (${one}, ${requests} requests)`),
    ...listed.environments.map(({ id, name }) => `${id}: environment ${name}`),
    ...listed.problems.map(({ id, message }) => `${id}: ${message}`),
  ];
  return answer(listed, lines.length === 0 ? 'There are no collections.' : lines.join('\n'));
};

const detailOf = ({
  id,
  name,
  kind: one,
  description,
  variables,
  requests,
}: CollectionModel): z.infer<typeof detailShape> => ({
  id,
  name,
  kind: one,
  description,
  variables: variables.map((variable) => ({ key: variable.key, value: shownValue(variable) })),
  requests: requests.map((request) => ({
    id: request.id,
    name: request.name,
    folder: [...request.folder],
    method: request.method,
    url: request.url,
    auth: request.auth?.type ?? 'none',
    has_tests: request.scripts.after.length > 0 || request.promise !== undefined,
    description: short(request.description),
  })),
});
