import { randomUUID } from 'node:crypto';
import { keepConfig, type Server, type ServerConfig, type ServerCreate } from '@plugboard/contract';
import { isoTime, type Clock } from '../port/clock.js';
import { cleanToken } from './clean-token.js';
import { refuseMasks } from './masked-secret.js';
import { requireAllowed } from './reachable.js';

export interface NewServerParts {
  readonly clock: Clock;
  readonly stdioAllowed: boolean;
  readonly admitConfig: (config: ServerConfig) => void;
}

/** A server as it is first known. Throws when it may not be reached at all. */
export const newServer = (
  { clock, stdioAllowed, admitConfig }: NewServerParts,
  { server_name, config }: ServerCreate,
): Server => {
  requireAllowed(config, stdioAllowed);
  admitConfig(config);
  refuseMasks(config);
  const at = isoTime(clock.now());
  return {
    id: `mcp_server-${randomUUID()}`,
    server_name,
    config: keepConfig(cleanToken(config)),
    enabled: true,
    protocol: null,
    last_sync: null,
    created_at: at,
    updated_at: at,
  };
};
