import {
  type HealthServiceCreate,
  hintFor,
  type KeptConfig,
  PlugboardError,
  type Server,
  sameConfig,
  type ServerConfig,
  type ServerConfigUpdate,
  type ServerCreate,
  toPlugboardError,
} from '@plugboard/contract';
import type { Registry } from '@plugboard/registry';
import type { DeclaredServer } from '../settings/settings.js';
import type { Logger } from '../log/logger.js';

export interface SeedOptions {
  readonly registry: Registry;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** Members that were taken out of the file are cleared; a change alone would keep them. */
const wholeConfig = (present: KeptConfig, declared: ServerConfig): ServerConfigUpdate => ({
  ...(Object.fromEntries(
    Object.keys(present)
      .filter((name) => !(name in declared))
      .map((name) => [name, null]),
  ) as object),
  ...declared,
});

const withoutNulls = (config: KeptConfig): KeptConfig =>
  Object.fromEntries(Object.entries(config).filter(([, value]) => value !== null)) as unknown as KeptConfig;

const seedOne = async ({ registry, signal }: SeedOptions, { create, enabled }: DeclaredServer): Promise<void> => {
  const present = await registry.findServerByName(create.server_name);
  if (present === undefined) {
    const { server } = await registry.registerServer(create, { signal });
    if (!enabled) await registry.updateServer(server.id, { enabled });
    return;
  }
  if (present.config.mcp_server_type !== create.config.mcp_server_type) {
    throw new PlugboardError(
      'CONFLICT',
      `"${create.server_name}" is registered as ${present.config.mcp_server_type}.`,
      {
        hint: {
          api: `Remove it first: DELETE /v1/mcp-servers/${present.id}.`,
          cli: `Remove it first: plugboard remove ${create.server_name}`,
        },
      },
    );
  }
  if (sameConfig(withoutNulls(present.config), create.config) && present.enabled === enabled) return;
  await registry.updateServer(present.id, { config: wholeConfig(present.config, create.config), enabled });
};

/** Brings the servers that the configuration file names into the registry; one that fails does not stop the others. */
export const seedDeclaredServers = async (options: SeedOptions, declared: readonly DeclaredServer[]): Promise<void> => {
  for (const entry of declared) {
    if (options.signal.aborted) return;
    try {
      await seedOne(options, entry);
    } catch (thrown) {
      const error = toPlugboardError(thrown);
      options.log.warn('A server of the configuration file could not be registered.', {
        server: entry.create.server_name,
        code: error.code,
        reason: error.message,
        hint: hintFor(error.toJSON(), 'cli'),
      });
    }
  }
};

/** Brings the health-only services that the configuration file names into the registry. */
export const seedDeclaredServices = async (
  { registry, log }: SeedOptions,
  declared: readonly HealthServiceCreate[],
): Promise<void> => {
  for (const service of declared) {
    try {
      await registry.services.declare(service);
    } catch (thrown) {
      const { code, message } = toPlugboardError(thrown);
      log.warn('A service of the configuration file could not be registered.', {
        service: service.name,
        code,
        message,
      });
    }
  }
};

const addSample = async ({ registry, log, signal }: SeedOptions, create: ServerCreate): Promise<Server> => {
  const present = await registry.findServerByName(create.server_name);
  if (present !== undefined) return present;
  const { server, sync } = await registry.registerServer(create, { signal });
  await registry.restServer(server.id);
  if (sync.status === 'failed') {
    log.warn('A sample server did not start.', { server: create.server_name, reason: sync.error?.message });
  }
  return server;
};

/** Registers servers to try. Each runs just long enough to tell its tools. One whose name is taken stays as it is. */
export const addSamples = (options: SeedOptions, servers: readonly ServerCreate[]): Promise<readonly Server[]> =>
  Promise.all(servers.map((create) => addSample(options, create)));

/** Registers servers to try when there is no server at all. Says whether all of them are there now. */
export const seedDemo = async (options: SeedOptions, servers: readonly ServerCreate[]): Promise<boolean> => {
  const { registry } = options;
  if ((await registry.listServers({ limit: 1 })).length === 0) {
    await addSamples(options, servers);
  }
  const present = new Set((await registry.listServers()).map(({ server_name }) => server_name));
  return servers.every(({ server_name }) => present.has(server_name));
};
