import { isJsonObject } from '@plugboard/base';
import type { OAuthSettings } from '../oauth/oauth-settings.js';
import { revealed, Secret } from '../secret/secret.js';
import type { ServerConfig, SseConfig, StdioConfig, StreamableHttpConfig } from './server-config.js';

type Values<Value> = Readonly<Record<string, Value>> | null | undefined;

type OAuthWith<Value> = Omit<OAuthSettings, 'client_secret' | 'private_key'> & {
  readonly client_secret?: Value | null | undefined;
  readonly private_key?: Value | null | undefined;
};

interface StdioWith<Value> extends Omit<StdioConfig, 'env' | 'variables'> {
  readonly env?: Values<Value>;
  readonly variables?: Values<Value>;
}

type HttpWith<Config extends SseConfig | StreamableHttpConfig, Value> = Omit<
  Config,
  'auth_token' | 'custom_headers' | 'oauth' | 'variables'
> & {
  readonly auth_token?: Value | null | undefined;
  readonly custom_headers?: Values<Value>;
  readonly oauth?: OAuthWith<Value> | null | undefined;
  readonly variables?: Values<Value>;
};

/** A config whose secret members have this type. */
export type ConfigWith<Value> = StdioWith<Value> | HttpWith<SseConfig, Value> | HttpWith<StreamableHttpConfig, Value>;

/** A config as the hub keeps it in memory: secret values are there, and cannot be printed. */
export type KeptConfig = ConfigWith<Secret>;

/** A config to connect with: secret values are wrapped or not. */
export type ConnectConfig = ConfigWith<string | Secret>;

type Change<From, To> = (value: From) => To;

const mapValues = <From, To>(values: Values<From>, change: Change<From, To>): Record<string, To> | null | undefined =>
  values === null || values === undefined
    ? values
    : Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));

/** Members that are not there stay so. */
const mapMembers = <From, To>(config: object, names: readonly string[], change: Change<From, To>) =>
  Object.fromEntries(
    names
      .filter((name) => name in config)
      .map((name) => {
        const value = (config as Readonly<Record<string, From | null | undefined>>)[name];
        return [name, value === null || value === undefined ? value : change(value)];
      }),
  );

const mapSecrets = <From, To>(config: ConfigWith<From>, change: Change<From, To>): ConfigWith<To> => {
  const map = (values: Values<From>) => mapValues(values, change);
  const oauth = (settings: OAuthWith<From>) => ({
    ...settings,
    ...mapMembers(settings, ['client_secret', 'private_key'], change),
  });
  return {
    ...config,
    ...mapMembers(config, ['auth_token'], change),
    ...mapMembers(config, ['custom_headers', 'env', 'variables'], map),
    ...mapMembers(config, ['oauth'], oauth),
  } as ConfigWith<To>;
};

/** The config with its secret values wrapped. */
export const keepConfig = (config: ConnectConfig): KeptConfig =>
  mapSecrets<string | Secret, Secret>(config, (value) => (value instanceof Secret ? value : Secret.of(value)));

/** The config with its secret values in clear: for where it is sealed, compared or checked, and nowhere else. */
export const revealConfig = (config: ConnectConfig): ServerConfig =>
  mapSecrets<string | Secret, string>(config, revealed);

/** JSON in which the order of members does not matter. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_name, member: unknown) =>
    isJsonObject(member) ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1))) : member,
  );

/** Do both say the same, secret values included? */
export const sameConfig = (a: ConnectConfig, b: ConnectConfig): boolean =>
  a === b || canonical(revealConfig(a)) === canonical(revealConfig(b));
