import { TAGS, type Operation } from '../operation.js';
import type { OpenApiDocument, OperationObject } from './document-types.js';
import { operationObject } from './operation-object.js';
import { schemaCollector } from './schema-collector.js';

const DESCRIPTION = [
  'Plugboard manages MCP servers and their tools. Paths and shapes are compatible with Letta’s clients.',
  'Every error has the same shape: `error.code` from a fixed list, a sentence, and a hint about what to do.',
  'Lists are plain arrays; `Link` and `X-Next-After` point to the next page. Secrets are masked when read.',
  'Send a key as `Authorization: Bearer …`: `plugboard key local` prints one for scripts on the same machine.',
].join(' ');

/** The OpenAPI 3.1 document of the operations. */
export const openApiDocument = (operations: readonly Operation[], version: string): OpenApiDocument => {
  const collector = schemaCollector();
  const paths: Record<string, Record<string, OperationObject>> = {};
  for (const operation of operations) {
    (paths[operation.path] ??= {})[operation.method] = operationObject(operation, collector);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Plugboard admin API', version, description: DESCRIPTION },
    tags: Object.values(TAGS).map((name) => ({ name })),
    paths,
    components: { schemas: collector.schemas() },
  };
};
