import type { ClientName } from './client-name.js';

export interface NamedUrl {
  readonly name: string;
  readonly url: string;
}

const entryFor = (client: ClientName, url: string): Readonly<Record<string, unknown>> => {
  switch (client) {
    case 'claude-desktop':
      // It starts programs only; mcp-remote carries the URL to it.
      return { command: 'npx', args: ['-y', 'mcp-remote', url] };
    case 'claude-code':
    case 'vscode':
      return { type: 'http', url };
    case 'cursor':
      return { url };
    case 'windsurf':
      return { serverUrl: url };
    default:
      return client satisfies never;
  }
};

/** The file content with which a client uses the hub. */
export const clientConfig = (client: ClientName, urls: readonly NamedUrl[]): Readonly<Record<string, unknown>> => ({
  [client === 'vscode' ? 'servers' : 'mcpServers']: Object.fromEntries(
    urls.map(({ name, url }) => [name, entryFor(client, url)]),
  ),
});
