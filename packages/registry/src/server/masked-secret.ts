import {
  hasReference,
  isMasked,
  maskTemplate,
  PlugboardError,
  unmaskArguments,
  unmaskUrl,
  type OAuthSettings,
  type ServerConfig,
} from '@plugboard/contract';

const BEARER = /^Bearer\s+/iu;

/** A template with a mask in it stands for the stored value only as long as nothing else of it was changed. */
const standsFor = (value: string, stored: string): boolean => {
  const shown = value.replace(BEARER, '');
  return !hasReference(value) || shown === maskTemplate(stored).replace(BEARER, '');
};

export const standsForNothing = (field: string): PlugboardError =>
  new PlugboardError('VALIDATION_FAILED', `"${field}" is a masked value, and no secret is stored for it.`, {
    hint: 'Send the secret itself, or omit the member to keep the stored one. A secret stored for another origin, proxy or issuer is not kept.',
    details: { field },
  });

/** A mask that came back stands for the stored secret; where nothing is stored it stands for nothing. */
export const unmask = (value: string, stored: string | null | undefined, field: string): string => {
  if (!isMasked(value)) return value;
  if (typeof stored === 'string' && standsFor(value, stored)) return stored;
  throw standsForNothing(field);
};

type Secrets = Readonly<Record<string, string>>;

export const unmaskAll = (values: Secrets, stored: Secrets, field: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, unmask(value, stored[name], `${field}.${name}`)]),
  );

type Settings = OAuthSettings | null | undefined;

/** The settings with every mask replaced by the secret that it stands for. */
export const unmaskOAuth = (given: OAuthSettings, before: Settings): OAuthSettings => {
  // The secret of a client is for one authorization server; another one must not get it.
  const stored = (given.issuer ?? null) === (before?.issuer ?? null) ? before : undefined;
  return {
    ...given,
    ...(typeof given.client_secret === 'string'
      ? { client_secret: unmask(given.client_secret, stored?.client_secret, 'oauth.client_secret') }
      : {}),
    ...(typeof given.private_key === 'string'
      ? { private_key: unmask(given.private_key, stored?.private_key, 'oauth.private_key') }
      : {}),
  };
};

/** A new server has no stored secrets that a mask could stand for. */
export const refuseMasks = (config: ServerConfig): void => {
  unmaskAll(config.variables ?? {}, {}, 'variables');
  if (config.mcp_server_type === 'stdio' && unmaskArguments(config.args, []) === undefined) {
    throw standsForNothing('args');
  }
  if (config.mcp_server_type !== 'stdio' && unmaskUrl(config.server_url, '') === undefined) {
    throw standsForNothing('server_url');
  }
  if (config.mcp_server_type === 'stdio') {
    unmaskAll(config.env ?? {}, {}, 'env');
    return;
  }
  unmask(config.auth_token ?? '', undefined, 'auth_token');
  unmaskAll(config.custom_headers ?? {}, {}, 'custom_headers');
  if (config.oauth !== null && config.oauth !== undefined) unmaskOAuth(config.oauth, undefined);
};
