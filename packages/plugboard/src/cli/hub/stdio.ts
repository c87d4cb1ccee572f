import { mkdir } from 'node:fs/promises';
import { EXIT, type ExitCode } from '@plugboard/contract';
import { HOP_HEADER, HOP_VARIABLE } from '../../hub-loop/hop.js';
import { processLog } from '../../log/process-log.js';
import { seedDeclaredServers } from '../../apply-config/seed-servers.js';
import { findRunningHub } from '../../hub-api/connect/running-hub.js';
import { settingsFor } from '../command/settings-for.js';
import type { FlagSettings } from '../../settings/resolve-settings.js';
import type { Settings } from '../../settings/settings.js';
import type { FindHub } from '../../stdio-proxy/hub-address.js';
import { runProxy } from '../../stdio-proxy/stdio-proxy.js';
import type { CommandContext } from '../command/command-context.js';
import { invalidArgument } from '../command/invalid-argument.js';

export interface StdioInput extends FlagSettings {
  readonly server?: string | undefined;
  readonly toolset?: string | undefined;
}

const pathOf = ({ server, toolset }: Pick<StdioInput, 'server' | 'toolset'>): string => {
  if (toolset !== undefined) return `/toolsets/${encodeURIComponent(toolset)}/mcp`;
  return server === undefined ? '/mcp' : `/servers/${encodeURIComponent(server)}/mcp`;
};

const withHopField = (init: RequestInit | undefined, hop: string): RequestInit => {
  const headers = new Headers(init?.headers);
  headers.set(HOP_HEADER, hop);
  return { ...init, headers };
};

const composeHere = async (
  { process }: CommandContext,
  settings: Settings,
  endpoint: Pick<StdioInput, 'server' | 'toolset'>,
): Promise<void> => {
  await mkdir(settings.home, { recursive: true, mode: 0o700 });
  const log = processLog(settings, process);
  const { composeHub } = await import('../../compose/compose-hub.js');
  const hub = await composeHub(settings, log);
  try {
    const options = { registry: hub.registry, log, signal: process.signal };
    // The server that is served must be known before anybody asks for it; the others may come later.
    const seeding = seedDeclaredServers(options, settings.declaredServers);
    if (endpoint.server !== undefined || endpoint.toolset !== undefined) await seeding;
    await hub.serveStdio({ input: process.stdin.stream, output: process.rawStdout }, process.signal, endpoint);
    hub.beginStopping();
    await seeding;
  } finally {
    await hub.close();
    log.flush?.();
  }
};

/**
 * Plugboard itself as a stdio server: standard output carries messages and nothing else. A hub that runs on this home is
 * used, so that all clients share its connections; without one, this process is the hub.
 */
export const run = async (context: CommandContext, { server, toolset, ...flags }: StdioInput): Promise<ExitCode> => {
  const { process } = context;
  if (server !== undefined && toolset !== undefined) {
    throw invalidArgument('--server and --toolset contradict each other.', 'Give one of them.');
  }
  const settings = await settingsFor(process, flags);
  const ports = { fetch, isAlive: process.isAlive, signal: process.signal };
  const findHub: FindHub = async () => {
    const running = await findRunningHub(settings.home, ports);
    if (running.state !== 'answers') return undefined;
    return { url: running.url, key: process.env['PLUGBOARD_API_KEY'] ?? running.key };
  };
  if ((await findHub()) === undefined) {
    await composeHere(context, settings, { server, toolset });
    return EXIT.ok;
  }
  const log = processLog(settings, process);
  log.debug?.('Messages are passed on to the running hub, whose log follows them.', {
    path: pathOf({ server, toolset }),
  });
  log.flush?.();
  const hop = process.env[HOP_VARIABLE];
  await runProxy({
    findHub,
    // A hub that starts this program must not become a server of itself.
    fetch: hop === undefined ? fetch : (url, init) => fetch(url, withHopField(init, hop)),
    path: pathOf({ server, toolset }),
    input: process.stdin.stream,
    output: process.rawStdout,
    signal: process.signal,
  });
  return EXIT.ok;
};
