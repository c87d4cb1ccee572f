import type { ServerConfig } from '@plugboard/contract';

const BEARER = /^(?:Bearer\s+)+/iu;

const isAuthorization = (header: string | null | undefined): boolean =>
  (header ?? 'authorization').toLowerCase() === 'authorization';

/**
 * The token without the scheme that the client puts in front of it, so that neither "Bearer Bearer x" nor a lost scheme
 * can come of it. A token for another header than Authorization, or with another scheme, is sent as it is.
 */
export const cleanToken = <Config extends ServerConfig>(config: Config): Config => {
  if (config.mcp_server_type === 'stdio' || typeof config.auth_token !== 'string') return config;
  const trimmed = config.auth_token.trim();
  const token = isAuthorization(config.auth_header) ? `${trimmed} `.replace(BEARER, '').trim() : trimmed;
  return { ...config, auth_token: token === '' ? null : token };
};
