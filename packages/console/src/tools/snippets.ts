import { hidesInName, plainJson } from '../ui/hidden-characters.js';
import { ownCommand, shellWord } from './shell-word.js';

export interface SnippetFacts {
  readonly origin: string;
  readonly server: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** A text to copy, or why there is none. */
export type Snippet = { readonly name: 'curl' | 'CLI' | 'TypeScript' } & (
  | { readonly text: string }
  | { readonly reason: string }
);

const REASON =
  'The name of this tool has control or other hidden characters, which could run something else when they are pasted into a terminal.';

const curl = ({ origin, server, tool, args }: SnippetFacts): string =>
  [
    `curl -s ${shellWord(`${origin}/servers/${encodeURIComponent(server)}/tools/${encodeURIComponent(tool)}`)}`,
    `  -H 'Content-Type: application/json'`,
    `  -H "Authorization: Bearer $PLUGBOARD_API_KEY"`,
    `  -d ${shellWord(plainJson(args))}`,
  ].join(' \\\n');

const cli = ({ server, tool, args }: SnippetFacts): string =>
  `npx plugboard call ${ownCommand([server, tool], ['--json-args', plainJson(args)])}`;

const typescript = ({
  origin,
  server,
  tool,
  args,
}: SnippetFacts): string => `import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const client = new Client({ name: 'my-agent', version: '1.0.0' });
const url = new URL(${plainJson(`${origin}/servers/${encodeURIComponent(server)}/mcp`)});
const headers = { Authorization: 'Bearer pb_…' }; // your key
await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
const result = await client.callTool({
  name: ${plainJson(tool)},
  arguments: ${plainJson(args, 2).replaceAll('\n', '\n  ')},
});
console.log(result.content);
await client.close();`;

/** The same call from elsewhere. Nobody's key is in them. */
export const snippetsOf = (facts: SnippetFacts): readonly Snippet[] => {
  const program = { name: 'TypeScript', text: typescript(facts) } as const;
  if (hidesInName(facts.tool) || hidesInName(facts.server)) {
    return [{ name: 'curl', reason: REASON }, { name: 'CLI', reason: REASON }, program];
  }
  return [{ name: 'curl', text: curl(facts) }, { name: 'CLI', text: cli(facts) }, program];
};
