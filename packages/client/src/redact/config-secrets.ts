import { type ConnectConfig, revealed, type Secret, secretsInArguments, secretsInUrl } from '@plugboard/contract';

/** Every secret value of a config: a server may echo them in an error or on stderr. */
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
    .filter((value) => value !== '');
  return [...new Set(texts)];
};
