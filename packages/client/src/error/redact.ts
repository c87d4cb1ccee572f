import { type ConnectConfig, revealed, type Secret, secretsInArguments, secretsInUrl } from '@plugboard/contract';

/** Redacts secrets in a text that a server wrote. */
export type Redact = (text: string) => string;

const MIN_SECRET_LENGTH = 4;
const MAX_TEXT = 2_000;

const base64 = (value: string): readonly string[] => {
  const encoded = Buffer.from(value).toString('base64');
  return [encoded, encoded.replace(/=+$/u, ''), Buffer.from(value).toString('base64url')];
};

const hexadecimal = (value: string): readonly string[] => {
  const encoded = Buffer.from(value).toString('hex');
  return [encoded, encoded.toUpperCase()];
};

/** A server that echoes a secret may write it as it stands in a URL, in JSON, in Base64 or in hexadecimal. */
const spellings = (value: string): readonly string[] => [
  value,
  encodeURIComponent(value),
  JSON.stringify(value).slice(1, -1),
  ...base64(value),
  ...hexadecimal(value),
];

/** Every secret value of a config in all spellings: a server may echo them in an error or on stderr. */
export const secretsOf = (config: ConnectConfig, others: readonly Secret[] = []): readonly string[] => {
  const values =
    config.mcp_server_type === 'stdio'
      ? [...Object.values(config.env ?? {}), ...secretsInArguments(config.args)]
      : [
          config.auth_token ?? '',
          ...Object.values(config.custom_headers ?? {}),
          config.oauth?.client_secret ?? '',
          config.oauth?.private_key ?? '',
          ...secretsInUrl(config.server_url),
        ];
  const texts = [...values, ...Object.values(config.variables ?? {}), ...others]
    .map(revealed)
    .flatMap((value) => [value, value.replace(/^(?:Bearer|Basic|Token) +/iu, '')])
    .filter((value) => value.length >= MIN_SECRET_LENGTH)
    .flatMap(spellings);
  return [...new Set(texts)].toSorted((left, right) => right.length - left.length);
};

export const createRedact = (config: ConnectConfig, others: readonly Secret[] = []): Redact => {
  const secrets = secretsOf(config, others);
  return (text) => {
    const clean = secrets.reduce((current, secret) => current.replaceAll(secret, '[redacted]'), text);
    return clean.length > MAX_TEXT ? `${clean.slice(0, MAX_TEXT)}…` : clean;
  };
};
