import { z } from 'zod';

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

/** Ids look like `tool-<uuid>`: readable in a log, and never mistaken for one another. */
const identifier = <Prefix extends string>(prefix: Prefix) =>
  z.templateLiteral([`${prefix}-`, z.string().regex(new RegExp(`^${UUID}$`))]).describe(`${prefix}-<uuid>`);

export const serverId = identifier('mcp_server');
export const toolId = identifier('tool');
export const agentId = identifier('agent');
export const toolsetId = identifier('toolset');
export const auditId = identifier('audit');
export const apiKeyId = identifier('key');
export const oauthSessionId = identifier('mcp-oauth');

export type ServerId = z.infer<typeof serverId>;
export type ToolId = z.infer<typeof toolId>;
export type AgentId = z.infer<typeof agentId>;
export type ToolsetId = z.infer<typeof toolsetId>;
export type AuditId = z.infer<typeof auditId>;
export type ApiKeyId = z.infer<typeof apiKeyId>;
export type OAuthSessionId = z.infer<typeof oauthSessionId>;
