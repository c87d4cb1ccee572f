import { z } from 'zod';
import { grade, gradeStatus, normalisedSchema, providerVerdicts } from './grade.js';
import { serverId, toolId } from '../field/identifier.js';
import { quarantine } from './quarantine.js';
import { timestamp } from '../field/text.js';
import { toolAnnotations } from './tool-definition.js';

const toolMetadata = z.looseObject({
  mcp: z.object({ server_id: serverId, server_name: z.string() }),
});

/** A tool of a registered server. It is bound to (server_id, upstream_name); every other name may change. */
export const tool = z.object({
  id: toolId,
  server_id: serverId,
  upstream_name: z.string().describe('the name the server knows'),
  name: z.string().describe('the name a model sees'),
  title: z.string().nullable(),
  description: z.string().nullable(),
  tool_type: z.literal('external_mcp'),
  input_schema: z.unknown().describe('as the server sent it'),
  normalised: normalisedSchema.optional().describe('the normalised input schema and its grade'),
  output_schema: z.unknown().optional(),
  annotations: toolAnnotations.nullable(),
  grade,
  providers: providerVerdicts.optional(),
  tags: z.array(z.string()),
  metadata: toolMetadata,
  enabled: z.boolean().describe('offered to agents'),
  contract_hash: z.string(),
  quarantine: quarantine.optional(),
  created_at: timestamp,
  updated_at: timestamp,
});
export type Tool = z.infer<typeof tool>;

/** What an operator may change about a tool. */
export const toolUpdate = z.strictObject({
  enabled: tool.shape.enabled.optional(),
  tags: z.array(z.string().min(1).max(128)).max(64).optional(),
});
export type ToolUpdate = z.infer<typeof toolUpdate>;

/** A tool as the admin API shows it: ours, with the members that Letta's clients read beside them. */
export const toolView = tool.extend({
  source_type: z.literal('mcp'),
  json_schema: z
    .object({
      name: z.string(),
      description: z.string(),
      parameters: z.unknown(),
      'mcp:SCHEMA_STATUS': gradeStatus,
      'mcp:SCHEMA_WARNINGS': z.array(z.string()),
    })
    .describe('with the normalised input schema; `input_schema` is the original'),
  args_json_schema: z.unknown(),
  metadata_: toolMetadata,
  return_char_limit: z.number().int(),
});
export type ToolView = z.infer<typeof toolView>;
