import type { ServerCreate, ServerView, ToolDefinition, ToolView } from '@plugboard/contract';
import type { Hono } from 'hono';
import type { Registry } from '../../registry.js';
import { createAdminApp, type AdminAppOptions } from '../admin-app.js';
import { memoryRegistry, type Upstream } from './memory-registry.js';

export const echoTool: ToolDefinition = {
  name: 'echo',
  description: 'Says it back',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
};

export const addTool: ToolDefinition = { name: 'add', description: 'Adds', inputSchema: { type: 'object' } };

export const httpServer = (name: string): ServerCreate => ({
  server_name: name,
  config: {
    mcp_server_type: 'streamable_http',
    server_url: 'https://tools.example/mcp',
    auth_header: 'X-API-Key',
    auth_token: 'token-of-some-length-1234',
    custom_headers: { 'X-Team': 'secret-team-header-5678' },
  },
});

export interface AdminFixture {
  readonly app: Hono;
  readonly registry: Registry;
  readonly logged: readonly Readonly<Record<string, unknown>>[];
  /** Sends JSON and reads JSON. */
  readonly call: (
    method: string,
    path: string,
    body?: unknown,
  ) => Promise<{ status: number; body: never; headers: Headers }>;
  readonly register: (input?: ServerCreate) => Promise<ServerView>;
  readonly tools: (serverId: string) => Promise<ToolView[]>;
}

/** The admin app over a registry in memory whose servers do what the test says. */
export const adminFixture = (
  upstream: Partial<Upstream> = {},
  options: Partial<AdminAppOptions> = {},
): AdminFixture => {
  const logged: Readonly<Record<string, unknown>>[] = [];
  const registry = memoryRegistry({
    listTools: async () => [echoTool, addTool],
    callTool: async (name, args) => ({ content: [{ type: 'text', text: `${name} ${JSON.stringify(args)}` }] }),
    ...upstream,
  });
  const app = createAdminApp({
    registry,
    version: '9.9.9',
    log: { error: (_message, facts = {}) => logged.push(facts) },
    ...options,
  });
  const call: AdminFixture['call'] = async (method, path, body) => {
    const answer = await app.request(path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    });
    const text = await answer.text();
    return { status: answer.status, body: (text === '' ? null : JSON.parse(text)) as never, headers: answer.headers };
  };
  return {
    app,
    registry,
    logged,
    call,
    register: async (input = httpServer('weather')) => (await call('POST', '/v1/mcp-servers', input)).body,
    tools: async (serverId) => (await call('GET', `/v1/mcp-servers/${serverId}/tools`)).body,
  };
};
