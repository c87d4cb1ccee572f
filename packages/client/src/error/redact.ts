import type { ServerConfig } from '@plugboard/contract';

/** Takes what must stay secret out of a text that somebody else wrote. */
export type Redact = (text: string) => string;

const MIN_SECRET_LENGTH = 4;
const MAX_TEXT = 2_000;

/** Every secret value of a config: a server may echo them in an error or on stderr. */
export const secretsOf = (config: ServerConfig): readonly string[] => {
  const values =
    config.mcp_server_type === 'stdio'
      ? Object.values(config.env ?? {})
      : [
          config.auth_token ?? '',
          ...Object.values(config.custom_headers ?? {}),
          config.oauth?.client_secret ?? '',
          config.oauth?.private_key ?? '',
        ];
  return values
    .flatMap((value) => [value, value.replace(/^(?:Bearer|Basic|Token) +/iu, '')])
    .filter((value) => value.length >= MIN_SECRET_LENGTH)
    .toSorted((left, right) => right.length - left.length);
};

export const createRedact = (config: ServerConfig): Redact => {
  const secrets = secretsOf(config);
  return (text) => {
    const clean = secrets.reduce((current, secret) => current.replaceAll(secret, '[redacted]'), text);
    return clean.length > MAX_TEXT ? `${clean.slice(0, MAX_TEXT)}…` : clean;
  };
};
