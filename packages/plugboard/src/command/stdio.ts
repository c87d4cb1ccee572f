import { mkdir } from 'node:fs/promises';
import { EXIT, type ExitCode } from '@plugboard/contract';
import { composeHub } from '../compose.js';
import { createLogger } from '../hub/logger.js';
import { seedDeclaredServers } from '../hub/seed-servers.js';
import { settingsFor } from '../program/settings-for.js';
import type { FlagSettings } from '../settings/resolve-settings.js';
import type { CommandContext } from './command-context.js';

export interface StdioInput extends FlagSettings {
  readonly server: string | undefined;
}

/** Plugboard itself as a stdio server: standard output carries messages and nothing else. */
export const run = async ({ process }: CommandContext, { server, ...flags }: StdioInput): Promise<ExitCode> => {
  const settings = await settingsFor(process, flags);
  await mkdir(settings.home, { recursive: true, mode: 0o700 });
  const log = createLogger(settings.logLevel, process.rawStderr);
  const hub = await composeHub(settings, log);
  try {
    const options = { registry: hub.registry, log, signal: process.signal };
    // The server that is served must be known before anybody asks for it; the others may come later.
    const seeding = seedDeclaredServers(options, settings.declaredServers);
    if (server !== undefined) await seeding;
    await hub.serveStdio({ input: process.stdin.stream, output: process.stdout }, process.signal, server);
    hub.beginStopping();
    await seeding;
  } finally {
    await hub.close();
  }
  return EXIT.ok;
};
