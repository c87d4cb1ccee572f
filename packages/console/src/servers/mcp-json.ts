import type { ServerConfig, ServerCreate } from '@plugboard/contract';
import { isJson, type Json } from '../api/json.js';
import { unknownWords, withOwnReferences } from './client-references.js';

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

/** Why an entry is left out although its shape is right. */
const reasonAgainst = (entry: Json, config: ServerConfig, ownOrigin: string | undefined): string | undefined => {
  if (entry['disabled'] === true) return 'It is disabled there, and left out.';
  if (entry['envFile'] !== undefined) return 'It reads variables from a file (envFile): write them into "env".';
  if (ownOrigin === undefined) return undefined;
  const words = config.mcp_server_type === 'stdio' ? config.args : [config.server_url];
  const isOwn = words.some((word) => word === ownOrigin || word.startsWith(`${ownOrigin}/`));
  return isOwn ? 'It is this hub itself.' : undefined;
};

const entryFrom = (name: string, given: unknown, ownOrigin: string | undefined): PastedEntry => {
  if (!isJson(given)) return { name, problem: 'It is not an object.' };
  const { value, unknown } = withOwnReferences(given);
  const entry = isJson(value) ? value : given;
  const config = configFrom(entry);
  if (typeof config === 'string') return { name, problem: config };
  const [reference] = unknown;
  const problem =
    reasonAgainst(entry, config, ownOrigin) ?? (reference === undefined ? undefined : unknownWords(reference));
  if (problem !== undefined) return { name, problem };
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

/** Names that differ for another client may be the same for the hub. */
const withoutTwins = (entries: readonly PastedEntry[]): readonly PastedEntry[] => {
  const seen = new Set<string>();
  return entries.map((entry) => {
    const isTwin = entry.create !== undefined && seen.has(entry.name);
    seen.add(entry.name);
    return isTwin
      ? { name: entry.name, problem: 'An entry above has this name already. Rename one of the two.' }
      : entry;
  });
};

/** Reads the configuration of another client. An entry that leads to `ownOrigin` would make the hub a server of itself. */
export const readMcpJson = (text: string, ownOrigin?: string): Pasted => {
  let root: unknown;
  try {
    root = JSON.parse(withoutLooseParts(text));
  } catch (thrown) {
    return { entries: [], problem: `This is not JSON: ${thrown instanceof Error ? thrown.message : 'unreadable'}` };
  }
  const servers = isJson(root) ? serversIn(root) : undefined;
  if (servers === undefined) return { entries: [], problem: 'There is no "mcpServers" or "servers" in it.' };
  const entries = withoutTwins(Object.entries(servers).map(([name, value]) => entryFrom(name, value, ownOrigin)));
  return entries.length === 0 ? { entries, problem: 'It names no server.' } : { entries };
};
