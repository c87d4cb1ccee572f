import type { UrlPolicy } from '@plugboard/client';
import type { HealthServiceCreate, Secret, ServerCreate } from '@plugboard/contract';
import { DEFAULT_ACCESS, type AccessSettings } from './access-settings.js';
import { DEFAULT_BOUNDS, type BoundsSettings } from './bounds-settings.js';
import { fleetSettings, type FleetSettings } from './fleet-settings.js';
import { DEFAULT_GUARD, type GuardSettings } from './guard-settings.js';
import type { NetworkSettings } from './network-settings.js';
import type { LogFormat, LogLevel } from './log-level.js';
import { DEFAULT_MONITOR, type MonitorSettings } from './monitor-settings.js';
import { DEFAULT_OBSERVE, type ObserveSettings } from './observe-settings.js';
import type { DeclaredPlugin } from './plugin-settings.js';
import { DEFAULT_PATIENCE, type PatienceSettings } from './patience-settings.js';
import { DEFAULT_PROCESSES, type ProcessSettings } from './process-settings.js';

/** Where the key that wraps all other keys comes from. */
export type MasterKeySource =
  /** `previous`: the key before, while secrets are still sealed with it. */
  | { readonly from: 'environment'; readonly value: Secret; readonly previous?: Secret | undefined }
  /** `create`: make it at first start. A file that the operator named must exist already. */
  | { readonly from: 'file'; readonly path: string; readonly create: boolean };

/** Which programs the hub may start. */
export type StdioPolicy =
  | { readonly mode: 'on' }
  | { readonly mode: 'off' }
  | { readonly mode: 'allow-list'; readonly commands: readonly string[] };

/** `all`, or names of variables; a star at the end stands for any ending. */
export type TemplateEnvironment = 'all' | readonly string[];

/** How long each step with a server may take, in milliseconds. */
export interface Deadlines {
  readonly connectMs: number;
  readonly listMs: number;
  readonly callMs: number;
}

/** A server that the configuration file names: registered at start, or changed when the file changed. */
export interface DeclaredServer {
  readonly create: ServerCreate;
  readonly enabled: boolean;
}

/** Everything the hub was told by defaults, file, environment and flags, as one value. */
export interface Settings {
  /** Where the hub keeps its state; absolute. */
  readonly home: string;
  /** The plugboard.json that was read, if there is one. */
  readonly configFile: string | undefined;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Listen beyond loopback although no access control is configured. */
  readonly insecure: boolean;
  /** Register the bundled servers and a sample when there is no server at all. */
  readonly demo: boolean;
  /** Remove servers that have left the configuration file. */
  readonly prune: boolean;
  /** Postgres; the embedded store under `home` when undefined. */
  readonly databaseUrl: string | undefined;
  readonly masterKey: MasterKeySource;
  readonly logLevel: LogLevel;
  readonly logFormat: LogFormat;
  readonly stdio: StdioPolicy;
  /** Which addresses servers and their authorization servers may have. */
  readonly urls: UrlPolicy;
  readonly access: AccessSettings;
  /** Which variables of `environment` templates may name. */
  readonly templateEnvironment: TemplateEnvironment;
  readonly deadlines: Deadlines;
  /** How servers are reached. */
  readonly network: NetworkSettings;
  /** How often a request that was provably not executed is sent again. */
  readonly maxRetries: number;
  readonly patience: PatienceSettings;
  readonly processes: ProcessSettings;
  readonly guard: GuardSettings;
  readonly bounds: BoundsSettings;
  readonly observe: ObserveSettings;
  readonly monitor: MonitorSettings;
  /** How the processes that share a store reach each other. */
  readonly fleet: FleetSettings;
  /** The URL under which browsers reach this hub, when it is not the one it listens on. */
  readonly publicUrl?: string | undefined;
  /** An https URL under which the hub's OAuth client metadata can be read; under publicUrl when left out. */
  readonly clientMetadataUrl?: string | undefined;
  /** Other names of servers, for paths under /servers. */
  readonly aliases: Readonly<Record<string, string>>;
  readonly declaredServers: readonly DeclaredServer[];
  /** Health-only services that the configuration file names. */
  readonly declaredServices: readonly HealthServiceCreate[];
  /** Modules that the configuration file names. */
  readonly plugins: readonly DeclaredPlugin[];
  /** The environment of this process: what children inherit from and templates may name. */
  readonly environment: Readonly<Record<string, string>>;
}

export const DEFAULTS = {
  prune: false,
  plugins: [],
  host: '127.0.0.1',
  port: 2091,
  logLevel: 'info',
  logFormat: 'auto',
  deadlines: { connectMs: 30_000, listMs: 30_000, callMs: 60_000 },
  network: {},
  maxRetries: 1,
  // What others call servers of these roles.
  aliases: { docling: 'documents', postman: 'collections' },
  access: DEFAULT_ACCESS,
  templateEnvironment: 'all',
  patience: DEFAULT_PATIENCE,
  processes: DEFAULT_PROCESSES,
  guard: DEFAULT_GUARD,
  bounds: DEFAULT_BOUNDS,
  observe: DEFAULT_OBSERVE,
  monitor: DEFAULT_MONITOR,
  fleet: fleetSettings(),
} as const satisfies Partial<Settings>;
