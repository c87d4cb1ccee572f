import { z } from 'zod';
import { serverId, toolsetId } from '../field/identifier.js';
import { changeCondition } from '../field/change-condition.js';
import { entryName, timestamp } from '../field/text.js';

/** Names that every provider of models takes. */
const toolName = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[a-zA-Z0-9_-]+$/u, 'must contain only letters, digits, underscores and hyphens');

const argumentName = z.string().min(1).max(256);

/** One tool of a toolset, with what is different from the original. */
export const toolsetEntry = z.strictObject({
  server_id: serverId,
  upstream_name: z.string().min(1).max(512).describe('the name the server knows'),
  name: toolName.optional().describe('the name that models see; default: `server__tool`'),
  description: z.string().max(16_384).optional().describe("instead of the server's own"),
  preset_arguments: z
    .record(argumentName, z.unknown())
    .optional()
    .describe('sent with every call; the model cannot see or change these arguments'),
  hidden_arguments: z
    .array(argumentName)
    .max(256)
    .optional()
    .describe('optional arguments that the model does not see and cannot send'),
});
export type ToolsetEntry = z.infer<typeof toolsetEntry>;

/** A named, curated selection of tools from several servers, served as one endpoint. */
export const toolset = z.object({
  id: toolsetId,
  name: entryName,
  description: z.string().max(4096).nullable(),
  entries: z.array(toolsetEntry).max(2000),
  read_only: z.boolean().describe('offers only tools that declare readOnlyHint'),
  provider: z.string().nullable().describe('the provider profile its schemas are adapted to'),
  exposure: z
    .enum(['all', 'search'])
    .describe('`search`: the endpoint offers search_tools, describe_tool and call_tool instead of every tool'),
  created_at: timestamp,
  updated_at: timestamp,
});
export type Toolset = z.infer<typeof toolset>;

const settable = toolset.omit({ id: true, created_at: true, updated_at: true });

export const toolsetCreate = settable.partial().required({ name: true }).strict();
export type ToolsetCreate = z.infer<typeof toolsetCreate>;

export const toolsetUpdate = settable.partial().extend(changeCondition).strict();
export type ToolsetUpdate = z.infer<typeof toolsetUpdate>;

/** What became of one entry: offered under a name, or left out for a reason. */
const offeredEntry = z.object({
  server_id: serverId,
  upstream_name: z.string(),
  state: z.enum(['offered', 'missing', 'withheld', 'not_read_only', 'unfit']),
  name: z.string().optional().describe('the name a model sees; only when offered'),
  reason: z.string().optional().describe('why it is not offered, or what a rewrite for the provider lost'),
  provider_verdict: z
    .enum(['ok', 'rewritten', 'lossy', 'rejected'])
    .optional()
    .describe(
      'how the provider profile of the toolset treats it: accepted unchanged, rewritten without loss, rewritten with loss, or rejected',
    ),
  tokens: z.number().int().nonnegative().optional().describe('estimated tokens of its definition; only when offered'),
});
export type OfferedEntry = z.infer<typeof offeredEntry>;

/** What the endpoint of a toolset offers now, and what that costs a model. */
export const toolsetOffer = z.object({
  entries: z.array(offeredEntry),
  tokens: z.object({
    all: z.number().int().nonnegative().describe('estimated tokens of all tools with their full definitions'),
    listed: z
      .number()
      .int()
      .nonnegative()
      .describe('estimated tokens of the answer to tools/list, including the search tools'),
    saved: z.number().int().describe('all minus listed; negative if the toolset is too small to benefit from search'),
  }),
});
export type ToolsetOffer = z.infer<typeof toolsetOffer>;

/** A toolset as the admin API shows it. */
export const toolsetView = toolset.extend({ mcp_path: z.string(), offer: toolsetOffer.optional() });
export type ToolsetView = z.infer<typeof toolsetView>;
