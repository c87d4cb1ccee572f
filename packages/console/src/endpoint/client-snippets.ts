export interface ClientSnippet {
  /** Usable as an id in a page. */
  readonly id: string;
  readonly client: string;
  readonly where: string;
  readonly text: string;
}

const json = (value: unknown): string => JSON.stringify(value, undefined, 2);

const KEY = 'Bearer pb_…';

/** What to paste into which client, to use an endpoint of the hub. */
export const clientSnippets = (url: string, name: string): readonly ClientSnippet[] => [
  {
    id: 'claude-desktop',
    client: 'Claude Desktop',
    where: 'claude_desktop_config.json',
    text: json({ mcpServers: { [name]: { command: 'npx', args: ['-y', 'plugboard', 'stdio'] } } }),
  },
  {
    id: 'cursor',
    client: 'Cursor',
    where: '.cursor/mcp.json',
    text: json({ mcpServers: { [name]: { url, headers: { Authorization: KEY } } } }),
  },
  {
    id: 'vs-code',
    client: 'VS Code',
    where: '.vscode/mcp.json',
    text: json({ servers: { [name]: { type: 'http', url, headers: { Authorization: KEY } } } }),
  },
  {
    id: 'langchain',
    client: 'LangChain',
    where: 'TypeScript',
    text: `import { MultiServerMCPClient } from '@langchain/mcp-adapters';

const client = new MultiServerMCPClient({
  ${JSON.stringify(name)}: { transport: 'http', url: '${url}', headers: { Authorization: '${KEY}' } },
});
const tools = await client.getTools();`,
  },
  {
    id: 'ai-sdk',
    client: 'AI SDK',
    where: 'TypeScript',
    text: `import { experimental_createMCPClient as createMCPClient } from '@ai-sdk/mcp';

const client = await createMCPClient({
  transport: { type: 'http', url: '${url}', headers: { Authorization: '${KEY}' } },
});
const tools = await client.tools();`,
  },
];
