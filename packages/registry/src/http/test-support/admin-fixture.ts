import type { ServerCreate, ServerView, ToolDefinition, ToolResult, ToolView } from '@plugboard/contract';
import type { Hono } from 'hono';
import { onTestFinished } from 'vitest';
import type { ReachOptions } from '../../port/server-reach.js';
import type { Registry } from '../../facade/registry.js';
import { registryFixture } from '../../test-support/registry-fixture.js';
import { createAdminApp, type AdminAppOptions } from '../app/admin-app.js';

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

/** What every registered server does. */
export interface Upstream {
  readonly listTools: (options: ReachOptions) => Promise<readonly ToolDefinition[]>;
  readonly instructions: () => Promise<string>;
  readonly callTool: (name: string, args: Readonly<Record<string, unknown>>) => Promise<ToolResult>;
}

interface Reply {
  readonly status: number;
  readonly body: never;
  readonly headers: Headers;
}

export interface AdminFixture {
  readonly app: Hono;
  readonly registry: Registry;
  readonly logged: readonly Readonly<Record<string, unknown>>[];
  /** Sends JSON and reads JSON. */
  readonly call: (method: string, path: string, body?: unknown) => Promise<Reply>;
  readonly register: (input?: ServerCreate) => Promise<ServerView>;
  readonly tools: (serverId: string) => Promise<ToolView[]>;
  readonly close: () => Promise<void>;
}

/** The admin app over a real registry and store whose servers do what the test says. The caller closes it. */
export const openAdminFixture = async (
  upstream: Partial<Upstream> = {},
  options: Partial<AdminAppOptions> = {},
): Promise<AdminFixture> => {
  const servers: Upstream = {
    listTools: async () => [echoTool, addTool],
    instructions: async () => '',
    callTool: async (name, args) => ({ content: [{ type: 'text', text: `${name} ${JSON.stringify(args)}` }] }),
  };
  const now = (): Upstream => ({ ...servers, ...upstream });
  const fixture = await registryFixture();
  fixture.reach.list = async (_server, reachOptions) => now().listTools(reachOptions);
  fixture.reach.instructions = async () => now().instructions();
  fixture.reach.call = async (_server, call) => now().callTool(call.name, call.arguments);
  const logged: Readonly<Record<string, unknown>>[] = [];
  const log = { error: (_message: string, facts = {}) => void logged.push(facts) };
  const app = createAdminApp({ registry: fixture.registry, version: '9.9.9', log, ...options });
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
    registry: fixture.registry,
    logged,
    call,
    register: async (input = httpServer('weather')) => (await call('POST', '/v1/mcp-servers', input)).body,
    tools: async (serverId) => (await call('GET', `/v1/mcp-servers/${serverId}/tools`)).body,
    close: async () => fixture[Symbol.asyncDispose](),
  };
};

/** The same for one test: it is closed when the test ends. */
export const adminFixture: typeof openAdminFixture = async (upstream, options) => {
  const fixture = await openAdminFixture(upstream, options);
  onTestFinished(fixture.close);
  return fixture;
};
