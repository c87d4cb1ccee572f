export interface ClientSnippet {
  /** Usable as an id in a page. */
  readonly id: string;
  readonly client: string;
  readonly where: string;
  readonly text: string;
}

export interface SnippetTarget {
  /** The origin of the hub. */
  readonly origin: string;
  readonly path: string;
  readonly name: string;
  /** What `plugboard stdio` offers; undefined when it cannot offer this endpoint. */
  readonly stdio?: readonly string[] | undefined;
  /** Must a client send a key to get this? */
  readonly keyed?: boolean | undefined;
}

const json = (value: unknown): string => JSON.stringify(value, undefined, 2);

const KEY = 'pb_…';
const HEADERS = { Authorization: `Bearer ${KEY}` };

/** Claude Desktop starts programs. The program reads its key from the environment. */
const claudeDesktop = ({ name, stdio = [], keyed }: SnippetTarget): ClientSnippet => ({
  id: 'claude-desktop',
  client: 'Claude Desktop',
  where: 'claude_desktop_config.json',
  text: json({
    mcpServers: {
      [name]: {
        command: 'npx',
        args: ['-y', 'plugboard', 'stdio', ...stdio],
        ...(keyed === true ? { env: { PLUGBOARD_API_KEY: KEY } } : {}),
      },
    },
  }),
});

/** What to paste into which client, to use an endpoint of the hub. */
export const clientSnippets = (target: SnippetTarget): readonly ClientSnippet[] => {
  const { origin, path, name } = target;
  const url = origin + path;
  return [
    ...(target.stdio === undefined ? [] : [claudeDesktop(target)]),
    {
      id: 'cursor',
      client: 'Cursor',
      where: '.cursor/mcp.json',
      text: json({ mcpServers: { [name]: { url, headers: HEADERS } } }),
    },
    {
      id: 'vs-code',
      client: 'VS Code',
      where: '.vscode/mcp.json',
      text: json({ servers: { [name]: { type: 'http', url, headers: HEADERS } } }),
    },
    {
      id: 'langchain',
      client: 'LangChain',
      where: 'TypeScript',
      text: `import { MultiServerMCPClient } from '@langchain/mcp-adapters';

const client = new MultiServerMCPClient({
  ${JSON.stringify(name)}: { transport: 'http', url: '${url}', headers: { Authorization: 'Bearer ${KEY}' } },
});
const tools = await client.getTools();`,
    },
    {
      id: 'ai-sdk',
      client: 'AI SDK',
      where: 'TypeScript',
      text: `import { experimental_createMCPClient as createMCPClient } from '@ai-sdk/mcp';

const client = await createMCPClient({
  transport: { type: 'http', url: '${url}', headers: { Authorization: 'Bearer ${KEY}' } },
});
const tools = await client.tools();`,
    },
  ];
};
