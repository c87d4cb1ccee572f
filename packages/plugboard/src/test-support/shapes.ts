import {
  type Grade,
  maskTemplate,
  type ServerCreate,
  type ServerView,
  serverView,
  type SyncReport,
  type ToolView,
  toolView,
} from '@plugboard/contract';

const AT = '2026-01-02T03:04:05.000Z';

const uuid = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

export const okReport = (names: readonly string[]): SyncReport => ({
  status: 'ok',
  added: [...names],
  updated: [],
  deleted: [],
  skipped: [],
  repaired: [],
  failed: [],
  total: names.length,
  dry_run: false,
  at: AT,
});

export const refusedReport: SyncReport = {
  ...okReport([]),
  status: 'failed',
  error: { code: 'UPSTREAM_REFUSED', message: 'Nothing listens there.', hint: 'Start the server.' },
};

const masked = (values: Readonly<Record<string, string>> | null | undefined): Record<string, string> | null =>
  values ? Object.fromEntries(Object.entries(values).map(([name, value]) => [name, maskTemplate(value)])) : null;

const shown = (config: ServerCreate['config']): object => {
  if (config.mcp_server_type === 'stdio') return { ...config, env: masked(config.env) };
  const token = config.auth_token;
  return {
    ...config,
    auth_token: typeof token === 'string' ? maskTemplate(token) : null,
    custom_headers: masked(config.custom_headers),
  };
};

export const aServer = (create: ServerCreate, members: Partial<ServerView> = {}, number = 1): ServerView =>
  serverView.parse({
    id: `mcp_server-${uuid(number)}`,
    server_name: create.server_name,
    ...shown(create.config),
    enabled: true,
    protocol: null,
    last_sync: null,
    created_at: AT,
    updated_at: AT,
    status: { state: 'unknown' },
    tool_count: 0,
    held_tool_count: 0,
    ...members,
  });

export interface ToolSketch {
  readonly name: string;
  readonly description?: string;
  readonly schema?: unknown;
  readonly grade?: Grade;
  readonly members?: Partial<ToolView>;
}

export const aTool = (server: ServerView, sketch: ToolSketch, number: number): ToolView => {
  const metadata = { mcp: { server_id: server.id, server_name: server.server_name } };
  const schema = sketch.schema ?? { type: 'object', properties: {} };
  return toolView.parse({
    id: `tool-${uuid(number)}`,
    server_id: server.id,
    upstream_name: sketch.name,
    name: `${server.server_name}__${sketch.name}`,
    title: null,
    description: sketch.description ?? null,
    tool_type: 'external_mcp',
    input_schema: schema,
    annotations: null,
    grade: sketch.grade ?? { status: 'STRICT_COMPLIANT', reasons: [] },
    tags: [],
    metadata,
    enabled: true,
    contract_hash: 'x',
    created_at: AT,
    updated_at: AT,
    source_type: 'mcp',
    json_schema: {
      name: sketch.name,
      description: '',
      parameters: schema,
      'mcp:SCHEMA_STATUS': 'STRICT_COMPLIANT',
      'mcp:SCHEMA_WARNINGS': [],
    },
    args_json_schema: schema,
    metadata_: metadata,
    return_char_limit: 50_000,
    ...sketch.members,
  });
};
