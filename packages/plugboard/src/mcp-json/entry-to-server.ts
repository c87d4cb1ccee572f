import type { ServerConfig } from '@plugboard/contract';
import type { McpEntry } from './mcp-entry.js';

const mapValues = (
  values: Readonly<Record<string, string>>,
  rewrite: (value: string) => string,
): Record<string, string> => Object.fromEntries(Object.entries(values).map(([key, value]) => [key, rewrite(value)]));

/** An entry of the shared format as our own config; `rewrite` turns each text into our template grammar. */
export const entryToConfig = (entry: McpEntry, rewrite: (value: string) => string = (value) => value): ServerConfig => {
  const variables = entry.variables === undefined ? {} : { variables: { ...entry.variables } };
  if ('command' in entry) {
    return {
      mcp_server_type: 'stdio',
      command: rewrite(entry.command),
      args: (entry.args ?? []).map(rewrite),
      ...(entry.env === undefined ? {} : { env: mapValues(entry.env, rewrite) }),
      ...(entry.cwd === undefined ? {} : { cwd: rewrite(entry.cwd) }),
      ...(entry.listen === undefined ? {} : { listen: entry.listen }),
      ...(entry.limits === undefined ? {} : { limits: entry.limits }),
      ...(entry.restart === undefined ? {} : { restart: entry.restart }),
      ...variables,
    };
  }
  const url = 'url' in entry ? entry.url : entry.serverUrl;
  return {
    mcp_server_type: entry.type === 'sse' ? 'sse' : 'streamable_http',
    server_url: rewrite(url),
    ...(entry.headers === undefined ? {} : { custom_headers: mapValues(entry.headers, rewrite) }),
    ...variables,
  };
};
