import { z } from 'zod';
import { entryName } from '../field/text.js';
import { serverConfigUpdate } from '../server/server-config.js';
import { toolDefinition } from '../tool/tool-definition.js';

const MOST_TOOLS = 10_000;

const cached = z.strictObject({
  mode: z.literal('cached'),
  tools: z.array(toolDefinition).max(MOST_TOOLS).describe('the tools as they were when the agent was written'),
  refresh_schema_before_call: z
    .boolean()
    .default(true)
    .describe('compare with the tool of the server before each call; a call that no longer fits is not made'),
});

const dynamic = z.strictObject({
  mode: z.literal('dynamic'),
  allow: z
    .union([z.literal('all'), z.array(z.string()).max(MOST_TOOLS)])
    .default('all')
    .describe('all tools that the server lists, or only those with these names'),
});

/** A server of an agent, and which of its tools the agent uses. */
const agentServer = z.strictObject({
  name: entryName,
  id: z.string().max(256).optional(),
  slug: z.string().max(256).optional(),
  folder_path: z.string().max(1024).optional(),
  enabled: z.boolean().default(true),
  tags: z.array(z.string().max(256)).max(256).default([]),
  is_hub: z
    .boolean()
    .default(false)
    .describe('a hub, which is asked for the server of each tool: the metadata of a tool is that of its own server'),
  config: serverConfigUpdate.nullish(),
  discovery: z.discriminatedUnion('mode', [cached, dynamic]).default({ mode: 'dynamic', allow: 'all' }),
  bindings: z
    .record(z.string(), z.record(z.string(), z.unknown()))
    .default({})
    .describe('by tool: arguments with fixed values, which the model neither sees nor sets'),
});
export type AgentServer = z.infer<typeof agentServer>;

/** An agent that brings its own servers, as code or a file describes it. The agents of a hub are `agent`. */
export const agentDefinition = z.strictObject({
  name: entryName,
  servers: z.array(agentServer).max(256),
});
export type AgentDefinition = z.infer<typeof agentDefinition>;
/** As it is written: members with a default may be left out. */
export type AgentDefinitionInput = z.input<typeof agentDefinition>;
