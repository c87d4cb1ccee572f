import {
  maskArguments,
  maskSecret,
  maskTemplate,
  maskUrl,
  revealConfig,
  type ConnectConfig,
  type OAuthSettings,
  type ServerConfig,
} from '@plugboard/contract';

type SecretMap = Readonly<Record<string, string>> | null | undefined;

const maskValues = (secrets: SecretMap): Record<string, string> | null =>
  secrets === null || secrets === undefined
    ? null
    : Object.fromEntries(Object.entries(secrets).map(([name, value]) => [name, maskTemplate(value)]));

const maskText = (secret: string | null | undefined): string | null =>
  typeof secret === 'string' ? maskTemplate(secret) : null;

const maskOAuth = (oauth: OAuthSettings | null | undefined): { oauth?: OAuthSettings } =>
  oauth === null || oauth === undefined
    ? {}
    : {
        oauth: {
          ...oauth,
          client_secret: maskText(oauth.client_secret),
          // The end of a PEM file is the same for all of them, and says nothing.
          private_key: typeof oauth.private_key === 'string' ? maskSecret('') : null,
        },
      };

/** A config as it may be shown: names in clear, secret values masked. */
export const maskedConfig = (kept: ConnectConfig): ServerConfig => {
  const config = revealConfig(kept);
  const variables =
    config.variables === null || config.variables === undefined ? {} : { variables: maskValues(config.variables) };
  switch (config.mcp_server_type) {
    case 'stdio':
      return { ...config, args: maskArguments(config.args), env: maskValues(config.env), ...variables };
    case 'sse':
    case 'streamable_http':
      return {
        ...config,
        server_url: maskUrl(config.server_url),
        auth_header: config.auth_header ?? null,
        auth_token: maskText(config.auth_token),
        custom_headers: maskValues(config.custom_headers),
        ...maskOAuth(config.oauth),
        ...variables,
      };
    default:
      return config satisfies never;
  }
};
