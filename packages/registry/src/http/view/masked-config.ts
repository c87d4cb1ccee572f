import { maskSecret, type ServerConfig } from '@plugboard/contract';

type SecretMap = Readonly<Record<string, string>> | null | undefined;

const maskValues = (secrets: SecretMap): Record<string, string> | null =>
  secrets === null || secrets === undefined
    ? null
    : Object.fromEntries(Object.entries(secrets).map(([name, value]) => [name, maskSecret(value)]));

/** A config as it may be shown: names in clear, secret values masked. */
export const maskedConfig = (config: ServerConfig): ServerConfig => {
  switch (config.mcp_server_type) {
    case 'stdio':
      return { ...config, env: maskValues(config.env) };
    case 'sse':
    case 'streamable_http':
      return {
        ...config,
        auth_header: config.auth_header ?? null,
        auth_token: typeof config.auth_token === 'string' ? maskSecret(config.auth_token) : null,
        custom_headers: maskValues(config.custom_headers),
      };
    default:
      return config satisfies never;
  }
};
