import {
  childEnvironment,
  createServerPolicies,
  DEFAULT_DEADLINES,
  McpClient,
  resolveConfig,
  type Supervisor,
} from '@plugboard/client';
import { PlugboardError, type Server, type ServerConfig } from '@plugboard/contract';
import type { ClientRequest } from '@plugboard/gateway';
import type { Settings, StdioPolicy } from '../settings/settings.js';
import { VERSION } from '../version.js';
import type { Logger } from './logger.js';

export interface UpstreamClientParts {
  readonly settings: Settings;
  readonly supervisor: Supervisor;
  readonly log: Logger;
}

const assertMayStart = (config: ServerConfig, policy: StdioPolicy): void => {
  if (config.mcp_server_type !== 'stdio' || policy.mode === 'on') return;
  if (policy.mode === 'allow-list' && policy.commands.includes(config.command)) return;
  throw new PlugboardError('STDIO_DISABLED', 'This hub may not start the program of this server.', {
    hint: 'An operator can allow it with the "stdio" setting (PLUGBOARD_STDIO).',
  });
};

/** Our own settings hold secrets of the hub; no server's config may name them. */
const variable = (environment: Settings['environment']) => (name: string) =>
  name.startsWith('PLUGBOARD_') || !Object.hasOwn(environment, name) ? undefined : environment[name];

/** A client of one server with everything that the hub puts around it. It does no I/O before its first use. */
export const makeUpstreamClient = (
  { settings, supervisor, log }: UpstreamClientParts,
  server: Server,
  { capabilities, clientInfo, onOpened }: ClientRequest,
): McpClient => {
  const config = resolveConfig(server.config, variable(settings.environment));
  assertMayStart(config, settings.stdio);
  const name = server.server_name;
  // The client ends calls by itself, and progress moves that end; the policies only keep the outermost one.
  const requestMs = DEFAULT_DEADLINES.maxCallMs;
  const { policy } = createServerPolicies({
    totalMs: requestMs,
    deadline: { requestMs },
    retry: { maxRetries: settings.maxRetries },
  });
  return new McpClient({
    config,
    name,
    clientInfo: clientInfo ?? { name: 'plugboard', version: VERSION },
    capabilities,
    deadlines: settings.deadlines,
    ...(server.protocol === null ? {} : { remembered: server.protocol }),
    environment: childEnvironment({ inherited: settings.environment }),
    launch: supervisor.stdio({ name }).launch,
    policies: [policy],
    onEvent: (event) => {
      if (event.type === 'session-opened') onOpened?.();
      if (event.type === 'session-lost') {
        log.warn('A session was lost; the next call opens another.', { server: name, code: event.error.code });
      }
    },
  });
};
