import { type HealthServiceCreate, PlugboardError, sameConfig, type ServerCreate, toPlugboardError } from '@plugboard/contract';
import type { Registry } from '@plugboard/registry';
import type { DeclaredServer } from '../settings/settings.js';
import type { Logger } from './logger.js';

export interface SeedOptions {
  readonly registry: Registry;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

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
        hint: `Remove it first: plugboard remove ${create.server_name}`,
      },
    );
  }
  if (sameConfig(present.config, create.config) && present.enabled === enabled) return;
  await registry.updateServer(present.id, { config: create.config, enabled });
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
        hint: error.hint,
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

/** Registers the sample when there is no server at all. Says whether the sample can be used now. */
export const seedSample = async ({ registry, log, signal }: SeedOptions, sample: ServerCreate): Promise<boolean> => {
  const servers = await registry.listServers({ limit: 1 });
  if (servers.length > 0) return (await registry.findServerByName(sample.server_name)) !== undefined;
  const { sync } = await registry.registerServer(sample, { signal });
  if (sync.status === 'failed') log.warn('The sample server did not start.', { reason: sync.error?.message });
  return sync.status !== 'failed';
};
