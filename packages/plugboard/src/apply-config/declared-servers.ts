import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toPlugboardError } from '@plugboard/contract';
import { z } from 'zod';
import type { Settings } from '../settings/settings.js';
import { type SeedOptions, seedDeclaredServers, seedDeclaredServices } from './seed-servers.js';

const FILE = 'declared-servers.json';
const names = z.array(z.string());

/** Which servers came from the configuration file, as this home last saw it. */
const remembered = async (home: string): Promise<readonly string[]> => {
  try {
    return names.parse(JSON.parse(await readFile(join(home, FILE), 'utf8')));
  } catch {
    return [];
  }
};

type Declared = Pick<Settings, 'home' | 'declaredServers' | 'declaredServices' | 'prune'>;

const takeOut = async ({ registry, log }: SeedOptions, name: string, prune: boolean): Promise<void> => {
  const server = await registry.findServerByName(name);
  if (server === undefined) return;
  if (!prune) {
    const hint = `Remove it with: plugboard remove ${name}. With --prune the hub removes it automatically.`;
    log.warn('A server is no longer in the configuration file, and stays registered.', { server: name, hint });
    return;
  }
  await registry.deleteServer(server.id);
  log.info('A server is no longer in the configuration file, and was removed.', { server: name });
};

/** Brings the registry to what the configuration file says. What has left the file is reported, or removed with --prune. */
export const applyDeclared = async (options: SeedOptions, settings: Declared): Promise<void> => {
  const { home, declaredServers, declaredServices, prune } = settings;
  const declared = declaredServers.map(({ create }) => create.server_name);
  await seedDeclaredServices(options, declaredServices);
  await seedDeclaredServers(options, declaredServers);
  const gone = (await remembered(home)).filter((name) => !declared.includes(name));
  for (const name of gone) {
    if (options.signal.aborted) return;
    try {
      await takeOut(options, name, prune);
    } catch (thrown) {
      const { code, message } = toPlugboardError(thrown);
      options.log.warn('A server that left the configuration file could not be removed.', {
        server: name,
        code,
        message,
      });
    }
  }
  try {
    await writeFile(join(home, FILE), `${JSON.stringify(declared)}\n`, { mode: 0o600 });
  } catch {
    // A home that cannot be written: the next start does not know what has left the file.
  }
};
