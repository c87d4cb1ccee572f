import { type AgentServer, PlugboardError, serverConfig, type ServerConfig } from '@plugboard/contract';

/** The config of a server that can be connected to. */
export const usableConfig = ({ name, config }: AgentServer): ServerConfig => {
  const target = config?.mcp_server_type === 'stdio' ? config.command : config?.server_url;
  if (target === undefined || target === null || target === '') {
    throw new PlugboardError('INVALID_ARGUMENT', `The server "${name}" has neither a URL nor a command.`, {
      hint: 'Set config.server_url or config.command, or disable the server with "enabled": false.',
    });
  }
  const args = config?.mcp_server_type === 'stdio' ? { args: config.args ?? [] } : {};
  const parsed = serverConfig.safeParse({ ...config, ...args });
  if (parsed.success) return parsed.data;
  throw new PlugboardError('INVALID_ARGUMENT', `The config of the server "${name}" is not valid.`, {
    details: { issues: parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) },
  });
};
