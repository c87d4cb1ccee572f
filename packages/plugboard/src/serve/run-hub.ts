import { mkdir } from 'node:fs/promises';
import { once } from 'node:events';
import { isLoopbackHost } from '@plugboard/base';
import { PlugboardError, toPlugboardError } from '@plugboard/contract';
import { composeHub } from '../compose/compose-hub.js';
import { findRunningHub } from '../hub-api/connect/running-hub.js';
import type { ProcessContext } from '../process/process-context.js';
import type { Settings } from '../settings/settings.js';
import { VERSION } from '../process/version.js';
import type { Hub } from '../compose/hub.js';
import { ConfigWatch } from '../declared/config-watch.js';
import { applyDeclared } from '../declared/declared-servers.js';
import { removeHubFile, writeHubFile } from '../hub-api/connect/hub-file.js';
import { listen, type Listening } from '../edge/listen.js';
import type { Logger } from '../log/logger.js';
import { processLog } from '../log/process-log.js';
import { bundledServers } from '../bundled/bundled-servers.js';
import { documentFlags, makeDocumentsDirectory } from '../bundled/document-directories.js';
import { writeSampleCollection } from '../bundled/sample-collection.js';
import { sampleServer } from '../bundled/sample-server.js';
import { seedDemo } from '../declared/seed-servers.js';
import { consoleLine, runningLine, tryLines } from './welcome.js';

/** How long requests in flight may take to finish once the hub is told to stop. */
const DRAIN_MS = 5000;

const assertOnlyHub = async (home: string, process: ProcessContext): Promise<void> => {
  const running = await findRunningHub(home, { fetch, isAlive: process.isAlive, signal: process.signal });
  if (running.state !== 'answers' || running.pid === process.pid) return;
  throw new PlugboardError('CONFLICT', `A hub already runs on this home, at ${running.url} (process ${running.pid}).`, {
    hint: 'Use that one, stop it, or start this one with another --home.',
  });
};

interface Session {
  readonly settings: Settings;
  readonly process: ProcessContext;
  readonly hub: Hub;
  readonly log: Logger;
  /** Reads the settings again. */
  readonly reload: () => Promise<Settings>;
}

/** What the file and --demo ask for is registered behind the open port: a server that hangs delays nobody. */
const seed = async ({ settings, process, hub, log }: Session, url: string): Promise<void> => {
  const options = { registry: hub.registry, log, signal: process.signal };
  try {
    await applyDeclared(options, settings);
    if (!settings.demo) return;
    const { execPath } = process;
    await writeSampleCollection(settings.home, url);
    await makeDocumentsDirectory(settings.home);
    const bundled = bundledServers({
      nodePath: execPath,
      home: settings.home,
      documentFlags: documentFlags(settings, process),
    });
    const servers = [...bundled, sampleServer(execPath)];
    const all = await seedDemo({ ...options, rest: (id) => hub.rest(id) }, servers);
    if (all) process.stdout.write(tryLines({ url, keyed: await hub.accessControlled() }));
  } catch (thrown) {
    if (!process.signal.aborted) log.warn('Seeding failed.', { reason: toPlugboardError(thrown).message });
  }
};

/** Clients find the hub without its note, so a disk that takes none is no reason to leave them alone. */
const leaveNote = async ({ settings, process, hub, log }: Session, url: string): Promise<void> => {
  const note = { pid: process.pid, url, started_at: new Date().toISOString(), key: hub.localKey };
  try {
    await writeHubFile(settings.home, note);
  } catch (err) {
    log.warn('hub.json cannot be written: commands on this machine do not find this hub by themselves.', { err });
  }
};

const serveUntilStopped = async (session: Session, listening: Listening): Promise<void> => {
  const { settings, process } = session;
  await leaveNote(session, listening.url);
  process.stdout.write(runningLine({ version: VERSION, url: listening.url, home: settings.home }));
  const secret = process.stdout.isTTY && isLoopbackHost(settings.host) ? session.hub.openSignInLink() : undefined;
  process.stdout.write(consoleLine({ url: listening.url, secret }));
  const seeding = seed(session, listening.url);
  const { hub, log, reload } = session;
  const watch = new ConfigWatch({ registry: hub.registry, log, signal: process.signal, process, settings, reload });
  void seeding.then(() => watch.start());
  if (!process.signal.aborted) await once(process.signal, 'abort');
  listening.refuseNew();
  session.hub.beginStopping();
  await seeding;
  await watch.stop();
};

/** Runs the hub until the process is told to stop; then lets what is in progress finish and releases everything. */
export const runHub = async (
  settings: Settings,
  process: ProcessContext,
  reload: () => Promise<Settings> = async () => settings,
): Promise<void> => {
  await mkdir(settings.home, { recursive: true, mode: 0o700 });
  await assertOnlyHub(settings.home, process);
  const log = processLog(settings, process);
  const hub = await composeHub(settings, log);
  try {
    const listening = await listen(hub, settings);
    try {
      await serveUntilStopped({ settings, process, hub, log, reload }, listening);
    } finally {
      await removeHubFile(settings.home, process.pid);
      await listening.close(DRAIN_MS);
    }
  } finally {
    await hub.close();
    log.flush?.();
  }
};
