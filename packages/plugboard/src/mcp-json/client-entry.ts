import type { ClientName } from './client-name.js';

export interface NamedUrl {
  readonly name: string;
  readonly url: string;
}

type Json = Readonly<Record<string, unknown>>;

const VARIABLE = 'PLUGBOARD_API_KEY';
const INPUT = 'plugboard-key';

/** How each client refers to a key that does not stand in its file. */
const bearer = (client: ClientName): string => {
  switch (client) {
    case 'claude-desktop':
      // It fills in nothing; mcp-remote reads the variable from the environment that the entry gives it.
      return `\${${VARIABLE}}`;
    case 'claude-code':
      return `Bearer \${${VARIABLE}}`;
    case 'vscode':
      return `Bearer \${input:${INPUT}}`;
    case 'cursor':
    case 'windsurf':
      return `Bearer \${env:${VARIABLE}}`;
    default:
      return client satisfies never;
  }
};

const headersFor = (client: ClientName, keyed: boolean): Json =>
  keyed ? { headers: { Authorization: bearer(client) } } : {};

const entryFor = (client: ClientName, url: string, keyed: boolean): Json => {
  switch (client) {
    case 'claude-desktop':
      // It starts programs only; mcp-remote carries the URL to it.
      return {
        command: 'npx',
        args: ['-y', 'mcp-remote', url, ...(keyed ? ['--header', `Authorization:${bearer(client)}`] : [])],
        ...(keyed ? { env: { [VARIABLE]: 'Bearer pb_YOUR_KEY' } } : {}),
      };
    case 'claude-code':
    case 'vscode':
      return { type: 'http', url, ...headersFor(client, keyed) };
    case 'cursor':
      return { url, ...headersFor(client, keyed) };
    case 'windsurf':
      return { serverUrl: url, ...headersFor(client, keyed) };
    default:
      return client satisfies never;
  }
};

/** What to do so that the reference has a value. */
export const keyRemark = (client: ClientName): string => {
  const make = 'Create a key for it: plugboard key create <name> --role agent';
  switch (client) {
    case 'claude-desktop':
      return `${make}, and replace pb_YOUR_KEY with it.`;
    case 'vscode':
      return `${make}. VS Code asks for it once.`;
    case 'claude-code':
    case 'cursor':
    case 'windsurf':
      return `${make}, and set ${VARIABLE} in the environment of the client.`;
    default:
      return client satisfies never;
  }
};

/** The file content with which a client uses the hub; `keyed`: the hub asks for a key. */
export const clientConfig = (client: ClientName, urls: readonly NamedUrl[], keyed = false): Json => ({
  ...(client === 'vscode' && keyed
    ? { inputs: [{ type: 'promptString', id: INPUT, description: 'A key to Plugboard', password: true }] }
    : {}),
  [client === 'vscode' ? 'servers' : 'mcpServers']: Object.fromEntries(
    urls.map(({ name, url }) => [name, entryFor(client, url, keyed)]),
  ),
});
