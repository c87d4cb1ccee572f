export interface SnippetFacts {
  readonly origin: string;
  readonly server: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export interface Snippet {
  readonly name: 'curl' | 'CLI' | 'TypeScript';
  readonly text: string;
}

/** One word for a POSIX shell, whatever is in it. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/u.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

const curl = ({ origin, server, tool, args }: SnippetFacts): string =>
  [
    `curl -s ${shellWord(`${origin}/servers/${encodeURIComponent(server)}/tools/${encodeURIComponent(tool)}`)}`,
    `  -H 'Content-Type: application/json'`,
    `  -H "Authorization: Bearer $PLUGBOARD_API_KEY"`,
    `  -d ${shellWord(JSON.stringify(args))}`,
  ].join(' \\\n');

const cli = ({ server, tool, args }: SnippetFacts): string =>
  `npx plugboard call ${shellWord(server)} ${shellWord(tool)} --json-args ${shellWord(JSON.stringify(args))}`;

const typescript = ({
  origin,
  server,
  tool,
  args,
}: SnippetFacts): string => `import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const client = new Client({ name: 'my-agent', version: '1.0.0' });
const url = new URL(${JSON.stringify(`${origin}/servers/${encodeURIComponent(server)}/mcp`)});
const headers = { Authorization: 'Bearer pb_…' }; // your key
await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
const result = await client.callTool({
  name: ${JSON.stringify(tool)},
  arguments: ${JSON.stringify(args, undefined, 2).replaceAll('\n', '\n  ')},
});
console.log(result.content);
await client.close();`;

/** The same call from elsewhere. Nobody's key is in them. */
export const snippetsOf = (facts: SnippetFacts): readonly Snippet[] => [
  { name: 'curl', text: curl(facts) },
  { name: 'CLI', text: cli(facts) },
  { name: 'TypeScript', text: typescript(facts) },
];
