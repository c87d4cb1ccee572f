import { sseConfig, stdioConfig, type ServerConfig } from '@plugboard/contract';
import type { McpEntry } from './mcp-entry.js';

const mapValues = (
  values: Readonly<Record<string, string>>,
  rewrite: (value: string) => string,
): Record<string, string> => Object.fromEntries(Object.entries(values).map(([key, value]) => [key, rewrite(value)]));

/** Members with the names and values of our own config; the others are translated. */
const sameMembers = (entry: object, names: readonly string[]): object =>
  Object.fromEntries(Object.entries(entry).filter(([name, value]) => names.includes(name) && value !== undefined));

const OF_PROGRAM = Object.keys(stdioConfig.shape);
const OF_URL = Object.keys(sseConfig.shape);

/** An entry of the shared format as our own config; `rewrite` turns each text into our template grammar. */
export const entryToConfig = (entry: McpEntry, rewrite: (value: string) => string = (value) => value): ServerConfig => {
  if ('command' in entry) {
    return {
      ...sameMembers(entry, OF_PROGRAM),
      mcp_server_type: 'stdio',
      command: rewrite(entry.command),
      args: (entry.args ?? []).map(rewrite),
      ...(entry.env === undefined ? {} : { env: mapValues(entry.env, rewrite) }),
      ...(entry.cwd === undefined ? {} : { cwd: rewrite(entry.cwd) }),
    };
  }
  const url = 'url' in entry ? entry.url : entry.serverUrl;
  return {
    ...sameMembers(entry, OF_URL),
    mcp_server_type: entry.type === 'sse' ? 'sse' : 'streamable_http',
    server_url: rewrite(url),
    ...(entry.headers === undefined ? {} : { custom_headers: mapValues(entry.headers, rewrite) }),
    ...(typeof entry.auth_token === 'string' ? { auth_token: rewrite(entry.auth_token) } : {}),
  };
};
