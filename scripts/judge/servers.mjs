/**
 * The servers that `npm run judge` examines: packages of test/judge, each as its users start it. Where a server refuses to
 * start without a key, it gets a worthless one; backends are addresses where nothing listens. `{folder}` is an empty folder
 * of the run, `{port}` a free port. An entry with a `path` is a server behind HTTP.
 */
const KEY = 'judge-placeholder';

const stdio = (name, entry) => ({ name, transport: 'stdio', args: [], env: {}, ...entry });
const http = (name, entry) => ({ name, transport: 'streamable-http', path: '/mcp', args: [], env: {}, ...entry });

const everything = { package: '@modelcontextprotocol/server-everything', made: 'TypeScript SDK 1.x' };
const playwright = { package: '@playwright/mcp', bin: 'playwright-mcp', made: 'TypeScript SDK 1.x, bundled' };
const context7 = { package: '@upstash/context7-mcp', made: 'TypeScript SDK 2.x' };
const brave = { package: '@brave/brave-search-mcp-server', made: 'TypeScript SDK 1.x' };
const kubernetes = { package: 'kubernetes-mcp-server', made: 'Go SDK' };
const kubeconfig = ['--kubeconfig', '{folder}/kubeconfig'];
const toolbox = { package: '@toolbox-sdk/server', made: 'own implementation, Go' };

export const SERVERS = [
  stdio('everything', everything),
  http('everything-http', { ...everything, args: ['streamableHttp'], env: { PORT: '{port}' } }),
  http('everything-sse', { ...everything, transport: 'sse', path: '/sse', args: ['sse'], env: { PORT: '{port}' } }),
  stdio('filesystem', {
    package: '@modelcontextprotocol/server-filesystem',
    args: ['{folder}'],
    made: 'TypeScript SDK 1.x',
  }),
  stdio('memory', {
    package: '@modelcontextprotocol/server-memory',
    env: { MEMORY_FILE_PATH: '{folder}/memory.jsonl' },
    made: 'TypeScript SDK 1.x',
  }),
  stdio('sequential-thinking', {
    package: '@modelcontextprotocol/server-sequential-thinking',
    made: 'TypeScript SDK 1.x',
  }),
  stdio('github', {
    package: '@modelcontextprotocol/server-github',
    env: { GITHUB_PERSONAL_ACCESS_TOKEN: KEY },
    made: 'TypeScript SDK 1.0.1',
  }),
  stdio('slack', {
    package: '@modelcontextprotocol/server-slack',
    env: { SLACK_BOT_TOKEN: `xoxb-${KEY}`, SLACK_TEAM_ID: 'T00' },
    made: 'TypeScript SDK 1.0.1',
  }),
  http('map-http', {
    package: '@modelcontextprotocol/server-map',
    env: { PORT: '{port}' },
    made: 'TypeScript SDK 2.x, MCP Apps',
  }),
  stdio('playwright', playwright),
  http('playwright-http', { ...playwright, args: ['--port', '{port}', '--allowed-hosts', '*'] }),
  stdio('chrome-devtools', { package: 'chrome-devtools-mcp', made: 'TypeScript SDK 1.x, bundled' }),
  stdio('context7', context7),
  http('context7-http', { ...context7, args: ['--transport', 'http', '--port', '{port}'] }),
  stdio('firecrawl', { package: 'firecrawl-mcp', env: { FIRECRAWL_API_KEY: `fc-${KEY}` }, made: 'fastmcp 4' }),
  stdio('tavily', { package: 'tavily-mcp', env: { TAVILY_API_KEY: KEY }, made: 'TypeScript SDK 1.x' }),
  stdio('notion', {
    package: '@notionhq/notion-mcp-server',
    env: { NOTION_TOKEN: `ntn_${KEY}` },
    made: 'TypeScript SDK 1.x, tools from OpenAPI',
  }),
  stdio('mongodb', {
    package: 'mongodb-mcp-server',
    env: { MDB_MCP_TELEMETRY: 'disabled' },
    made: 'TypeScript SDK 2.x',
  }),
  stdio('sentry', { package: '@sentry/mcp-server', args: [`--access-token=${KEY}`], made: 'TypeScript SDK 1.x' }),
  stdio('brave-search', { ...brave, env: { BRAVE_API_KEY: KEY, BRAVE_MCP_TRANSPORT: 'stdio' } }),
  http('brave-search-http', {
    ...brave,
    env: { BRAVE_API_KEY: KEY, BRAVE_MCP_TRANSPORT: 'http', BRAVE_MCP_PORT: '{port}', BRAVE_MCP_HOST: '127.0.0.1' },
  }),
  http('figma-http', {
    package: 'figma-developer-mcp',
    args: ['--port', '{port}', `--figma-api-key=${KEY}`],
    made: 'TypeScript SDK 1.x',
  }),
  stdio('elasticsearch', {
    package: '@elastic/mcp-server-elasticsearch',
    env: { ES_URL: 'http://127.0.0.1:1', ES_API_KEY: KEY, OTEL_SDK_DISABLED: 'true' },
    made: 'TypeScript SDK 1.13',
  }),
  stdio('azure', { package: '@azure/mcp', args: ['server', 'start'], made: '.NET SDK' }),
  stdio('excel', { package: '@negokaz/excel-mcp-server', made: 'mcp-go' }),
  stdio('kubernetes', { ...kubernetes, args: kubeconfig }),
  http('kubernetes-http', { ...kubernetes, args: ['--port', '{port}', ...kubeconfig] }),
  stdio('moon', { package: '@moonrepo/cli', bin: 'moon', args: ['mcp'], made: 'Rust SDK' }),
  stdio('toolbox', {
    ...toolbox,
    args: ['--stdio', '--prebuilt', 'sqlite'],
    env: { SQLITE_DATABASE: '{folder}/data.db' },
  }),
  http('toolbox-http', {
    ...toolbox,
    args: ['--port', '{port}', '--prebuilt', 'sqlite'],
    env: { SQLITE_DATABASE: '{folder}/data.db' },
  }),
  stdio('mastra-docs', { package: '@mastra/mcp-docs-server', made: 'Mastra on TypeScript SDK 1.x' }),
  stdio('git', {
    package: '@cyanheads/git-mcp-server',
    env: { MCP_TRANSPORT_TYPE: 'stdio' },
    made: 'mcp-ts-core on TypeScript SDK 1.x',
  }),
  stdio('eslint', { package: '@eslint/mcp', made: 'TypeScript SDK 1.x' }),
  stdio('chart', { package: '@antv/mcp-server-chart', made: 'TypeScript SDK 1.x' }),
  stdio('drawio', { package: '@drawio/mcp', made: 'TypeScript SDK 1.x' }),
  stdio('taskmanager', { package: '@kazuph/mcp-taskmanager', made: 'TypeScript SDK 1.x' }),
  stdio('pdf-reader', { package: '@sylphlab/pdf-reader-mcp', made: 'TypeScript SDK 1.8' }),
  stdio('mobile', { package: '@mobilenext/mobile-mcp', made: 'TypeScript SDK 1.x' }),
  stdio('airtable', {
    package: 'airtable-mcp-server',
    env: { AIRTABLE_API_KEY: `pat${KEY}.x` },
    made: 'TypeScript SDK 1.x',
  }),
  stdio('searxng', {
    package: 'mcp-searxng',
    env: { SEARXNG_URL: 'http://127.0.0.1:1' },
    made: 'TypeScript SDK 2.x',
  }),
  stdio('mcpvault', { package: '@bitbonsai/mcpvault', args: ['{folder}'], made: 'TypeScript SDK 2.x' }),
];
