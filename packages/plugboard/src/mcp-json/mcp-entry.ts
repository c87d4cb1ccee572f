import { sseConfig, stdioConfig } from '@plugboard/contract';
import { z } from 'zod';

const { listen, limits, restart, sandbox, deadlines, sharing } = stdioConfig.shape;
const { auth_header, auth_token, oauth, profile, ca, proxy } = sseConfig.shape;

const text = z.string();
const textMap = z.record(z.string(), z.string());

const shared = {
  disabled: z.boolean().optional().describe('keep the server registered, but do not offer it'),
  variables: textMap
    .optional()
    .describe('values for {{ NAME }} and ${NAME} in the other members; only Plugboard reads them'),
  deadlines,
  sharing,
};

/** A program to start, as desktop clients write it. */
export const programEntry = z.object({
  ...shared,
  type: z.literal('stdio').optional(),
  command: text.min(1).describe('the program to run; it is never passed through a shell'),
  args: z.array(text).optional(),
  env: textMap.optional().describe('environment variables of the program'),
  cwd: text.optional(),
  listen,
  limits,
  restart,
  sandbox,
});

const URL_KINDS = ['http', 'streamable-http', 'streamableHttp', 'streamable_http', 'sse'] as const;

const remoteMembers = {
  ...shared,
  type: z.enum(URL_KINDS).optional().describe('the transport; default: Streamable HTTP'),
  headers: textMap.optional().describe('sent with every request'),
  auth_header,
  auth_token,
  oauth,
  profile,
  ca,
  proxy,
};

/** A server behind a URL. */
export const urlEntry = z.object({ ...remoteMembers, url: text.min(1) });

/** The same, as Windsurf writes it. */
export const serverUrlEntry = z.object({ ...remoteMembers, serverUrl: text.min(1) });

/** One server in the format that MCP clients share. */
export const mcpEntry = z.union([programEntry, urlEntry, serverUrlEntry]);
export type McpEntry = z.infer<typeof mcpEntry>;
