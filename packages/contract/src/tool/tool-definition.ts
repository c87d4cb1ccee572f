import { z } from 'zod';

/** What a server says of itself is kept as it came: nothing here drops a field it does not know. */
export const toolAnnotations = z.looseObject({
  title: z.string().optional(),
  readOnlyHint: z.boolean().optional(),
  destructiveHint: z.boolean().optional(),
  idempotentHint: z.boolean().optional(),
  openWorldHint: z.boolean().optional(),
});
export type ToolAnnotations = z.infer<typeof toolAnnotations>;

/** An element of tools/list, as far as it must be understood. Only the name is relied on; the rest may be rubbish. */
export const toolDefinition = z.looseObject({
  name: z.string(),
  title: z.unknown().optional(),
  description: z.unknown().optional(),
  inputSchema: z.unknown().optional(),
  outputSchema: z.unknown().optional(),
  annotations: z.unknown().optional(),
});
export type ToolDefinition = z.infer<typeof toolDefinition>;

/** The result of tools/call, unknown members included. */
export const toolResult = z.looseObject({
  content: z.array(z.looseObject({ type: z.string() })).optional(),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional(),
});
export type ToolResult = z.infer<typeof toolResult>;
