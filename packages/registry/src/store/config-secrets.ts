import { type ConfigWith, type ConnectConfig, revealConfig } from '@plugboard/contract';

/** A config without its secret values: of headers and environment only the names are left. */
export interface SplitConfig<Value = string> {
  readonly clear: Readonly<Record<string, unknown>>;
  /** Path (`auth_token`, `custom_headers.<name>`, `env.<name>`, `variables.<name>`, `oauth.<member>`) → value. */
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

export const splitConfig = (given: ConnectConfig): SplitConfig => {
  const config = revealConfig(given);
  const clear: Record<string, unknown> = { ...config };
  const secrets: Record<string, string> = {};
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

/** The config again; values that are missing among the secrets leave their member out. */
export const joinConfig = <Value>({ clear, secrets }: SplitConfig<Value>): ConfigWith<Value> => {
  const config: Record<string, unknown> = { ...clear };
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
