import type { UrlGuard } from '@plugboard/client';
import { type ConnectConfig, hasReference, PlugboardError } from '@plugboard/contract';
import type { StdioPolicy } from '../../settings/settings.js';

export interface ConfigAdmission {
  readonly stdio: StdioPolicy;
  readonly urls: UrlGuard;
}

const assertMayStart = (command: string, policy: StdioPolicy): void => {
  if (policy.mode === 'on' || hasReference(command)) return;
  if (policy.mode === 'allow-list' && policy.commands.includes(command)) return;
  throw new PlugboardError('STDIO_DISABLED', 'This hub may not start the program of this server.', {
    hint: 'An operator can allow it with the "stdio" setting (PLUGBOARD_STDIO).',
  });
};

/** Throws STDIO_DISABLED or URL_REFUSED. What a variable decides is judged again once it has been filled in. */
export const admitConfig = (config: ConnectConfig, { stdio, urls }: ConfigAdmission): void => {
  if (config.mcp_server_type === 'stdio') assertMayStart(config.command, stdio);
  else if (!hasReference(config.server_url)) urls.checkUrl(config.server_url);
};
