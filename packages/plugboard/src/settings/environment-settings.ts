import { definedMembers } from '@plugboard/base';
import { PlugboardError, type QuarantineRule, quarantineRule } from '@plugboard/contract';
import { LOG_FORMATS, LOG_LEVELS, type LogFormat, type LogLevel } from './log-level.js';

/** What the environment says; everything may be absent. */
export interface EnvironmentSettings {
  readonly home?: string;
  readonly configFile?: string;
  readonly host?: string;
  readonly port?: number;
  readonly insecure?: boolean;
  readonly databaseUrl?: string;
  readonly masterKey?: string;
  readonly masterKeyFile?: string;
  readonly previousMasterKey?: string;
  readonly logLevel?: LogLevel;
  readonly logFormat?: LogFormat;
  readonly stdio?: string;
  readonly urls?: string;
  readonly accessRequired?: boolean;
  readonly adminKey?: string;
  readonly introspectionSecret?: string;
  readonly templateEnvironment?: string;
  readonly connectMs?: number;
  readonly listMs?: number;
  readonly callMs?: number;
  readonly maxRetries?: number;
  readonly maxProcesses?: number;
  readonly caFile?: string;
  readonly proxy?: string;
  readonly noProxy?: string;
  readonly quarantine?: QuarantineRule;
  readonly publicUrl?: string;
  readonly clientMetadataUrl?: string;
  readonly fleetHost?: string;
  readonly fleetPort?: number;
  readonly fleetUrl?: string;
  readonly tracesBase?: string;
  readonly tracesHeaders?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** An empty variable counts as not set: that is how people switch one off in a compose file. */
const readText = (environment: Environment, ...names: readonly string[]): [name: string, value: string] | undefined => {
  for (const name of names) {
    const value = environment[name]?.trim();
    if (value !== undefined && value !== '') return [name, value];
  }
  return undefined;
};

const wrong = (name: string, value: string, expected: string): PlugboardError =>
  new PlugboardError('CONFIG_INVALID', `${name} is "${value}", but must be ${expected}.`, {
    hint: `Change or unset ${name}.`,
  });

interface Range {
  readonly min: number;
  readonly max: number;
  readonly integer: boolean;
}

const readNumber = (found: readonly [string, string] | undefined, range: Range): number | undefined => {
  if (found === undefined) return undefined;
  const [name, value] = found;
  const number = Number(value);
  const fits = number >= range.min && number <= range.max && (!range.integer || Number.isInteger(number));
  if (!fits) throw wrong(name, value, `a number from ${range.min} to ${range.max}`);
  return number;
};

const readSeconds = (environment: Environment, ...names: readonly string[]): number | undefined => {
  const seconds = readNumber(readText(environment, ...names), { min: 0.001, max: 86_400, integer: false });
  return seconds === undefined ? undefined : Math.round(seconds * 1000);
};

const readFlag = (found: readonly [string, string] | undefined): boolean | undefined => {
  if (found === undefined) return undefined;
  const [name, value] = found;
  if (/^(?:1|true|yes|on)$/iu.test(value)) return true;
  if (/^(?:0|false|no|off)$/iu.test(value)) return false;
  throw wrong(name, value, '1 or 0');
};

const readOneOf = <Word extends string>(
  found: readonly [string, string] | undefined,
  words: readonly Word[],
): Word | undefined => {
  if (found === undefined) return undefined;
  const word = words.find((known) => known === found[1].toLowerCase());
  if (word === undefined) throw wrong(found[0], found[1], `one of ${words.join(', ')}`);
  return word;
};

const readUrl = (
  found: readonly [string, string] | undefined,
  protocol: RegExp,
  expected: string,
): string | undefined => {
  if (found === undefined) return undefined;
  const [name, value] = found;
  if (!URL.canParse(value) || !protocol.test(new URL(value).protocol)) throw wrong(name, value, expected);
  return value.replace(/\/$/u, '');
};

const readQuarantine = (found: readonly [string, string] | undefined): QuarantineRule | undefined => {
  if (found === undefined) return undefined;
  const rule = quarantineRule.safeParse(found[1].toLowerCase());
  if (!rule.success) throw wrong(found[0], found[1], `one of ${quarantineRule.options.join(', ')}`);
  return rule.data;
};

/** Reads PLUGBOARD_* and the two names that other MCP clients use. */
export const environmentSettings = (environment: Environment): EnvironmentSettings =>
  definedMembers({
    home: readText(environment, 'PLUGBOARD_HOME')?.[1],
    configFile: readText(environment, 'PLUGBOARD_CONFIG')?.[1],
    host: readText(environment, 'PLUGBOARD_HOST')?.[1],
    port: readNumber(readText(environment, 'PLUGBOARD_PORT'), { min: 0, max: 65_535, integer: true }),
    insecure: readFlag(readText(environment, 'PLUGBOARD_INSECURE')),
    databaseUrl: readText(environment, 'PLUGBOARD_DATABASE_URL')?.[1],
    masterKey: readText(environment, 'PLUGBOARD_MASTER_KEY')?.[1],
    previousMasterKey: readText(environment, 'PLUGBOARD_PREVIOUS_MASTER_KEY')?.[1],
    masterKeyFile: readText(environment, 'PLUGBOARD_MASTER_KEY_FILE')?.[1],
    logLevel: readOneOf(readText(environment, 'PLUGBOARD_LOG_LEVEL'), LOG_LEVELS),
    logFormat: readOneOf(readText(environment, 'PLUGBOARD_LOG_FORMAT'), LOG_FORMATS),
    stdio: readText(environment, 'PLUGBOARD_STDIO')?.[1],
    urls: readText(environment, 'PLUGBOARD_URLS')?.[1],
    accessRequired: readFlag(readText(environment, 'PLUGBOARD_REQUIRE_KEY')),
    adminKey: readText(environment, 'PLUGBOARD_ADMIN_KEY')?.[1],
    introspectionSecret: readText(environment, 'PLUGBOARD_INTROSPECTION_SECRET')?.[1],
    templateEnvironment: readText(environment, 'PLUGBOARD_TEMPLATE_ENVIRONMENT')?.[1],
    connectMs: readSeconds(environment, 'PLUGBOARD_CONNECT_DEADLINE'),
    listMs: readSeconds(environment, 'PLUGBOARD_LIST_DEADLINE'),
    callMs: readSeconds(environment, 'PLUGBOARD_CALL_DEADLINE', 'EXTERNAL_MCP_TIMEOUT'),
    maxRetries: readNumber(readText(environment, 'PLUGBOARD_MAX_RETRIES', 'EXTERNAL_MCP_MAX_RETRIES'), {
      min: 0,
      max: 100,
      integer: true,
    }),
    maxProcesses: readNumber(readText(environment, 'PLUGBOARD_MAX_PROCESSES'), { min: 1, max: 100_000, integer: true }),
    caFile: readText(environment, 'PLUGBOARD_CA_FILE')?.[1],
    proxy: readUrl(readText(environment, 'PLUGBOARD_PROXY'), /^https?:$/u, 'an http:// or https:// URL'),
    noProxy: readText(environment, 'PLUGBOARD_NO_PROXY')?.[1],
    quarantine: readQuarantine(readText(environment, 'PLUGBOARD_QUARANTINE')),
    publicUrl: readUrl(readText(environment, 'PLUGBOARD_PUBLIC_URL'), /^https?:$/u, 'an http:// or https:// URL'),
    clientMetadataUrl: readUrl(readText(environment, 'PLUGBOARD_CLIENT_METADATA_URL'), /^https:$/u, 'an https:// URL'),
    fleetHost: readText(environment, 'PLUGBOARD_FLEET_HOST')?.[1],
    fleetPort: readNumber(readText(environment, 'PLUGBOARD_FLEET_PORT'), { min: 0, max: 65_535, integer: true }),
    fleetUrl: readUrl(readText(environment, 'PLUGBOARD_FLEET_URL'), /^http:$/u, 'an http:// URL'),
    tracesBase: readText(environment, 'OTEL_EXPORTER_OTLP_ENDPOINT')?.[1],
    tracesHeaders: readText(environment, 'OTEL_EXPORTER_OTLP_HEADERS')?.[1],
  });
