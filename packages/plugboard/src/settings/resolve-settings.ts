import { dirname, isAbsolute, join, resolve } from 'node:path';
import {
  healthServiceCreate,
  PlugboardError,
  serverConfig,
  type HealthServiceCreate,
  type ServerConfig,
  Secret,
} from '@plugboard/contract';
import type { DeclaredEntry } from '../mcp-json/declared-entry.js';
import { entryToConfig } from '../mcp-json/entry-to-server.js';
import type { ConfigFile } from './config-file.js';
import { environmentSettings, type EnvironmentSettings } from './environment-settings.js';
import { stdioPolicy, urlPolicy, templateEnvironment } from './policies-by-host.js';
import { accessSettings } from './access-settings.js';
import { boundsSettings } from './bounds-settings.js';
import { fleetSettings } from './fleet-settings.js';
import { guardSettings } from './guard-settings.js';
import type { LogFormat, LogLevel } from './log-level.js';
import { networkSettings, readCertificates } from './network-settings.js';
import { patienceSettings } from './patience-settings.js';
import { processSettings } from './process-settings.js';
import { monitorSettings } from './monitor-settings.js';
import { observeSettings } from './observe-settings.js';
import { declaredPlugins } from './plugin-settings.js';
import { readConfigFile } from './read-config-file.js';
import { readSecretFile } from './read-text-file.js';
import { DEFAULTS, type DeclaredServer, type MasterKeySource, type Settings } from './settings.js';

/** What was given on the command line. */
export interface FlagSettings {
  readonly home?: string | undefined;
  readonly config?: string | undefined;
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly insecure?: boolean | undefined;
  readonly demo?: boolean | undefined;
  readonly prune?: boolean | undefined;
  readonly logLevel?: LogLevel | undefined;
  readonly logFormat?: LogFormat | undefined;
}

export interface SettingsSource {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The home directory of the user. */
  readonly userHome: string;
  readonly flags: FlagSettings;
}

const expandTilde = (path: string, userHome: string): string =>
  path === '~' || path.startsWith('~/') ? join(userHome, path.slice(1)) : path;

/** A program runs beside the file that names it, unless a variable decides that later. */
const placed = (config: ServerConfig, path: string): ServerConfig =>
  config.mcp_server_type === 'stdio' && typeof config.cwd === 'string' && !/\$\{|\{\{/u.test(config.cwd)
    ? { ...config, cwd: resolve(dirname(path), config.cwd) }
    : config;

/** An entry may name a file with authorities beside it. */
const withAuthorities = async (entry: DeclaredEntry, name: string, path: string): Promise<DeclaredEntry> => {
  if (!('caFile' in entry) || entry.caFile === undefined) return entry;
  const { caFile, ...rest } = entry;
  return { ...rest, ca: await readCertificates(resolve(dirname(path), caFile), `mcpServers.${name}.caFile`) };
};

const declaredServers = (file: ConfigFile | undefined, path: string): Promise<readonly DeclaredServer[]> =>
  Promise.all(Object.entries(file?.mcpServers ?? {}).map((entry) => declaredServer(entry, path)));

const declaredServer = async (
  [name, entry]: readonly [string, DeclaredEntry],
  path: string,
): Promise<DeclaredServer> => {
  const parsed = serverConfig.safeParse(placed(entryToConfig(await withAuthorities(entry, name, path)), path));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new PlugboardError(
      'CONFIG_INVALID',
      `The server "${name}" in ${path} is not usable: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`,
      { hint: 'Correct that entry of mcpServers, or remove it.' },
    );
  }
  return { create: { server_name: name, config: parsed.data }, enabled: entry.disabled !== true };
};

const declaredServices = (file: ConfigFile | undefined): readonly HealthServiceCreate[] =>
  Object.entries(file?.services ?? {}).map(([name, { url, intervalSeconds }]) =>
    healthServiceCreate.parse({
      name,
      url,
      ...(intervalSeconds === undefined ? {} : { interval_seconds: intervalSeconds }),
    }),
  );

const masterKey = (
  environment: EnvironmentSettings,
  fileKey: string | undefined,
  paths: { readonly home: string; readonly cwd: string },
): MasterKeySource => {
  if (environment.masterKey !== undefined) {
    const { masterKey: value, previousMasterKey: previous } = environment;
    return {
      from: 'environment',
      value: Secret.of(value),
      ...(previous === undefined ? {} : { previous: Secret.of(previous) }),
    };
  }
  const named = environment.masterKeyFile === undefined ? fileKey : resolve(paths.cwd, environment.masterKeyFile);
  if (named !== undefined) return { from: 'file', path: named, create: false };
  return { from: 'file', path: join(paths.home, 'master.key'), create: true };
};

/** The home alone, without reading the configuration file: enough to find a running hub. */
export const resolveHome = (source: SettingsSource): string => {
  const environment = environmentSettings(source.environment);
  const given = source.flags.home ?? environment.home;
  return given === undefined
    ? join(source.userHome, '.plugboard')
    : resolve(source.cwd, expandTilde(given, source.userHome));
};

const definedOnly = (environment: SettingsSource['environment']): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined));

/** The environment wins over the file that the settings name. */
const introspectionSecret = async (
  file: ConfigFile | undefined,
  environment: EnvironmentSettings,
  besideFile: (path: string) => string,
): Promise<{ readonly introspectionSecret?: string }> => {
  const named = file?.access?.oauth?.introspection?.clientSecretFile;
  if (environment.introspectionSecret !== undefined || named === undefined) return {};
  return {
    introspectionSecret: await readSecretFile(besideFile(named), 'access.oauth.introspection.clientSecretFile'),
  };
};

/** Defaults < plugboard.json < PLUGBOARD_* < flags, as one value. Rejects with CONFIG_INVALID. */
export const resolveSettings = async (source: SettingsSource): Promise<Settings> => {
  const { flags, cwd, userHome } = source;
  const environment = environmentSettings(source.environment);
  const named = flags.config ?? environment.configFile;
  const path =
    named === undefined ? join(resolveHome(source), 'plugboard.json') : resolve(cwd, expandTilde(named, userHome));
  const file = await readConfigFile(path, named !== undefined);
  const besideFile = (value: string): string => {
    const expanded = expandTilde(value, userHome);
    return isAbsolute(expanded) ? expanded : resolve(dirname(path), expanded);
  };
  const homeOfFile = file?.home === undefined ? undefined : besideFile(file.home);
  const homeGiven = flags.home !== undefined || environment.home !== undefined;
  const home = homeGiven ? resolveHome(source) : (homeOfFile ?? resolveHome(source));
  const host = flags.host ?? environment.host ?? file?.host ?? DEFAULTS.host;
  const milliseconds = (value: number | undefined): number | undefined =>
    value === undefined ? undefined : Math.round(value * 1000);
  const keyFile = file?.masterKeyFile === undefined ? undefined : besideFile(file.masterKeyFile);
  return {
    home,
    configFile: file === undefined ? undefined : path,
    host,
    port: flags.port ?? environment.port ?? file?.port ?? DEFAULTS.port,
    insecure: flags.insecure ?? environment.insecure ?? file?.insecure ?? false,
    demo: flags.demo ?? false,
    prune: flags.prune ?? file?.prune ?? DEFAULTS.prune,
    databaseUrl: environment.databaseUrl ?? file?.databaseUrl,
    masterKey: masterKey(environment, keyFile, { home, cwd }),
    logFormat: flags.logFormat ?? environment.logFormat ?? file?.logFormat ?? DEFAULTS.logFormat,
    logLevel: flags.logLevel ?? environment.logLevel ?? file?.logLevel ?? DEFAULTS.logLevel,
    stdio: stdioPolicy(environment.stdio, file?.stdio, host),
    urls: urlPolicy(environment.urls, file?.urls, host),
    access: accessSettings(file?.access, {
      ...environment,
      ...(await introspectionSecret(file, environment, besideFile)),
    }),
    templateEnvironment: templateEnvironment(environment.templateEnvironment, file?.templateEnvironment, host),
    deadlines: {
      connectMs: environment.connectMs ?? milliseconds(file?.deadlines?.connect) ?? DEFAULTS.deadlines.connectMs,
      listMs: environment.listMs ?? milliseconds(file?.deadlines?.list) ?? DEFAULTS.deadlines.listMs,
      callMs: environment.callMs ?? milliseconds(file?.deadlines?.call) ?? DEFAULTS.deadlines.callMs,
    },
    network: await networkSettings(file?.network, environment, {
      ofFile: besideFile,
      ofEnvironment: (named) => resolve(cwd, named),
    }),
    publicUrl: environment.publicUrl ?? file?.publicUrl?.replace(/\/$/u, ''),
    clientMetadataUrl: environment.clientMetadataUrl ?? file?.clientMetadataUrl,
    maxRetries: environment.maxRetries ?? file?.maxRetries ?? DEFAULTS.maxRetries,
    patience: patienceSettings(file?.patience),
    processes: processSettings(file?.processes, environment.maxProcesses),
    guard: guardSettings(file?.guard, environment.quarantine),
    bounds: boundsSettings(file?.bounds),
    observe: observeSettings(file?.observe, environment),
    monitor: monitorSettings(file?.monitor, { configFile: path, environment: definedOnly(source.environment) }),
    fleet: fleetSettings(file?.fleet, environment, host),
    declaredServers: await declaredServers(file, path),
    aliases: file?.aliases ?? DEFAULTS.aliases,
    declaredServices: declaredServices(file),
    plugins: declaredPlugins(file?.plugins, path),
    environment: definedOnly(source.environment),
  };
};
