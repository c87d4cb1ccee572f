import type { ServerConfig, ServerCreate } from '@plugboard/contract';
import { isJson, type Json } from '../api/json.js';

/** One server of a pasted configuration: what it would become, or why it cannot. */
export interface PastedEntry {
  readonly name: string;
  readonly create?: ServerCreate;
  readonly problem?: string;
}

export interface Pasted {
  readonly entries: readonly PastedEntry[];
  readonly problem?: string;
}

/** Where clients keep their servers: Claude Desktop and Cursor, VS Code, Zed. */
const PLACES = ['mcpServers', 'servers', 'context_servers'] as const;

const textRecord = (value: unknown): Record<string, string> | null => {
  if (!isJson(value)) return null;
  const pairs = Object.entries(value).map(([name, text]) => [name, String(text)] as const);
  return pairs.length === 0 ? null : Object.fromEntries(pairs);
};

const programOf = (entry: Json, command: string): ServerConfig => ({
  mcp_server_type: 'stdio',
  command,
  args: Array.isArray(entry['args']) ? entry['args'].map(String) : [],
  env: textRecord(entry['env']),
  cwd: typeof entry['cwd'] === 'string' ? entry['cwd'] : null,
});

export const configFrom = (entry: Json): ServerConfig | string => {
  const { command, type, transport } = entry;
  const url = entry['url'] ?? entry['serverUrl'] ?? entry['httpUrl'];
  if (typeof command === 'string' && command !== '') return programOf(entry, command);
  if (typeof url !== 'string') return 'It has neither a command nor a URL.';
  if (!/^https?:\/\//iu.test(url)) return 'Its URL does not begin with http:// or https://.';
  return {
    mcp_server_type: (type ?? transport) === 'sse' ? 'sse' : 'streamable_http',
    server_url: url,
    custom_headers: textRecord(entry['headers']),
  };
};

/** Names that the hub takes; other clients allow any. */
export const nameFrom = (name: string): string =>
  name
    .trim()
    .replaceAll(/[^\w.-]+/gu, '-')
    .slice(0, 64) || 'server';

const entryFrom = (name: string, value: unknown): PastedEntry => {
  const config = isJson(value) ? configFrom(value) : 'It is not an object.';
  if (typeof config === 'string') return { name, problem: config };
  const server_name = nameFrom(name);
  return { name: server_name, create: { server_name, config } };
};

const serversIn = (root: Json): Json | undefined => {
  for (const place of PLACES) {
    const found = root[place];
    if (isJson(found)) return found;
  }
  if (typeof root['command'] === 'string' || typeof root['url'] === 'string') return { server: root };
  const all = Object.values(root);
  return all.length > 0 && all.every((value) => isJson(value) && ('command' in value || 'url' in value))
    ? root
    : undefined;
};

/** Editors accept comments and trailing commas. In a string, neither is one. */
const COMMENTS = /"(?:\\.|[^"\\])*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//gu;
const LAST_COMMAS = /"(?:\\.|[^"\\])*"|,(?=\s*[}\]])/gu;

const withoutLooseParts = (text: string): string => {
  const keepStrings = (part: string): string => (part.startsWith('"') ? part : '');
  return text.replaceAll(COMMENTS, keepStrings).replaceAll(LAST_COMMAS, keepStrings);
};

/** Reads the configuration of another client. */
export const readMcpJson = (text: string): Pasted => {
  let root: unknown;
  try {
    root = JSON.parse(withoutLooseParts(text));
  } catch (thrown) {
    return { entries: [], problem: `This is not JSON: ${thrown instanceof Error ? thrown.message : 'unreadable'}` };
  }
  const servers = isJson(root) ? serversIn(root) : undefined;
  if (servers === undefined) return { entries: [], problem: 'There is no "mcpServers" or "servers" in it.' };
  const entries = Object.entries(servers).map(([name, value]) => entryFrom(name, value));
  return entries.length === 0 ? { entries, problem: 'It names no server.' } : { entries };
};
