import type { Tool, ToolAnnotations } from '@plugboard/contract';
import type { StoredTool } from '../store/store.js';
import { graded } from './graded.js';
import { quarantineView } from '../quarantine/quarantine.js';

/** What every tool of a server is tagged with. */
const serverTag = (serverName: string): string => `mcp:${serverName}`;

const RESERVED_TAG = /^mcp:/u;

/** Tags that say which server a tool belongs to follow from the server, and cannot be given by hand. */
export const operatorTags = (tags: readonly string[]): readonly string[] => [
  ...new Set(tags.filter((tag) => !RESERVED_TAG.test(tag))),
];

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const annotationsOf = (value: unknown): ToolAnnotations | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as ToolAnnotations) : null;

const titleOf = (stored: StoredTool, annotations: ToolAnnotations | null): string | null =>
  text(stored.definition.title) ?? text(annotations?.title);

/** A tool as it is shown, with the names that its server and the model know it by today. */
export const toTool = (stored: StoredTool, serverName: string, name: string): Tool => {
  const annotations = annotationsOf(stored.definition.annotations);
  return {
    id: stored.id,
    server_id: stored.serverId,
    upstream_name: stored.upstreamName,
    name,
    title: titleOf(stored, annotations),
    description: text(stored.definition.description),
    tool_type: 'external_mcp',
    input_schema: stored.definition.inputSchema,
    normalised: stored.normalised ?? graded(stored.definition).normalised,
    ...(stored.definition.outputSchema === undefined ? {} : { output_schema: stored.definition.outputSchema }),
    annotations,
    grade: stored.grade,
    ...(stored.providers === undefined ? {} : { providers: stored.providers }),
    tags: [serverTag(serverName), ...stored.tags],
    metadata: { mcp: { server_id: stored.serverId, server_name: serverName } },
    enabled: !stored.switchedOff && stored.grade.status !== 'INVALID' && stored.quarantine === undefined,
    contract_hash: stored.contractHash,
    ...(stored.quarantine === undefined ? {} : { quarantine: quarantineView(stored.quarantine) }),
    created_at: stored.createdAt,
    updated_at: stored.updatedAt,
  };
};
