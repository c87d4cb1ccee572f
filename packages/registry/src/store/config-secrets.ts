import {
  type ConfigWith,
  type ConnectConfig,
  hasSecretParameters,
  maskArguments,
  maskUrl,
  revealConfig,
  revealed,
  type Secret,
  type ServerConfig,
} from '@plugboard/contract';

/** A config without its secret values: of headers and environment only the names are left. */
export interface SplitConfig<Value = string> {
  readonly clear: Readonly<Record<string, unknown>>;
  /** Path (`auth_token`, `custom_headers.<name>`, `env.<name>`, `variables.<name>`, `oauth.<member>`, `server_url`, `args.<index>`) → value. */
  readonly secrets: Readonly<Record<string, Value>>;
}

const secretRecords = ['custom_headers', 'env', 'variables'] as const;
const secretsOfOAuth = ['client_secret', 'private_key'] as const;

const splitOAuth = (oauth: Readonly<Record<string, unknown>>, secrets: Record<string, string>) => {
  const clear: Record<string, unknown> = { ...oauth };
  for (const name of secretsOfOAuth) {
    const value = clear[name];
    if (typeof value !== 'string') continue;
    secrets[`oauth.${name}`] = value;
    delete clear[name];
  }
  return clear;
};

const joinOAuth = <Value>(oauth: object, secrets: Readonly<Record<string, Value>>) => ({
  ...oauth,
  ...Object.fromEntries(
    secretsOfOAuth.flatMap((name) => {
      const value = secrets[`oauth.${name}`];
      return value === undefined ? [] : [[name, value] as const];
    }),
  ),
});

/** A secret in a URL or an argument: the whole is sealed, and what is left shows where it stands. */
const splitPlace = (config: ServerConfig, clear: Record<string, unknown>, secrets: Record<string, string>): void => {
  if (config.mcp_server_type !== 'stdio') {
    if (!hasSecretParameters(config.server_url)) return;
    secrets['server_url'] = config.server_url;
    clear['server_url'] = maskUrl(config.server_url);
    return;
  }
  const shown = maskArguments(config.args);
  config.args.forEach((word, index) => {
    if (shown[index] !== word) secrets[`args.${index}`] = word;
  });
  clear['args'] = shown;
};

export const splitConfig = (given: ConnectConfig): SplitConfig => {
  const config = revealConfig(given);
  const clear: Record<string, unknown> = { ...config };
  const secrets: Record<string, string> = {};
  splitPlace(config, clear, secrets);
  if ('auth_token' in config && typeof config.auth_token === 'string') {
    delete clear['auth_token'];
    secrets['auth_token'] = config.auth_token;
  }
  if ('oauth' in config && typeof config.oauth === 'object' && config.oauth !== null) {
    clear['oauth'] = splitOAuth(config.oauth, secrets);
  }
  for (const member of secretRecords) {
    const values = (config as Readonly<Record<string, unknown>>)[member];
    if (typeof values !== 'object' || values === null) continue;
    clear[member] = Object.keys(values);
    for (const [name, value] of Object.entries(values)) secrets[`${member}.${name}`] = String(value);
  }
  return { clear, secrets };
};

const joinPlace = (clear: SplitConfig['clear'], secrets: Readonly<Record<string, string | Secret>>) => {
  const { server_url: url } = secrets;
  const { args } = clear;
  return {
    ...(url === undefined ? {} : { server_url: revealed(url) }),
    ...(Array.isArray(args)
      ? { args: args.map((word: string, index) => revealed(secrets[`args.${index}`] ?? word)) }
      : {}),
  };
};

/** The config again; values that are missing among the secrets leave their member out. */
export const joinConfig = <Value extends string | Secret>({
  clear,
  secrets,
}: SplitConfig<Value>): ConfigWith<Value> => {
  const config: Record<string, unknown> = { ...clear, ...joinPlace(clear, secrets) };
  if (secrets['auth_token'] !== undefined) config['auth_token'] = secrets['auth_token'];
  const { oauth } = clear;
  if (typeof oauth === 'object' && oauth !== null) config['oauth'] = joinOAuth(oauth, secrets);
  for (const member of secretRecords) {
    const names = clear[member];
    if (!Array.isArray(names)) continue;
    const values = names.map((name: string) => [name, secrets[`${member}.${name}`]] as const);
    if (values.every(([, value]) => value !== undefined)) config[member] = Object.fromEntries(values);
    else delete config[member];
  }
  return config as unknown as ConfigWith<Value>;
};
