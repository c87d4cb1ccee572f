import { mkdir } from 'node:fs/promises';
import { once } from 'node:events';
import { deferred, isLoopbackHost } from '@plugboard/base';
import { toPlugboardError } from '@plugboard/contract';
import { composeHub } from '../compose/compose-hub.js';
import type { ProcessContext } from '../process/process-context.js';
import type { Settings } from '../settings/settings.js';
import { VERSION } from '../process/version.js';
import type { Hub } from '../compose/hub.js';
import { ConfigWatch } from '../apply-config/config-watch.js';
import { applyDeclared } from '../apply-config/declared-servers.js';
import { removeHubFile, writeHubFile } from '../hub-api/connect/hub-file.js';
import { listen, type Listening } from '../http-server/listen.js';
import type { Logger } from '../log/logger.js';
import { processLog } from '../log/process-log.js';
import { preparedSamples } from '../bundled/prepared-samples.js';
import { addSamples, seedDemo } from '../apply-config/seed-servers.js';
import { assertOnlyHub } from './only-hub.js';
import { consoleLine, runningLine, tryLines } from './welcome.js';
import type { WorkerPlace } from './worker-role.js';

/** How long requests in flight may take to finish once the hub is told to stop. */
const DRAIN_MS = 5000;

interface Session {
  readonly settings: Settings;
  readonly process: ProcessContext;
  readonly hub: Hub;
  readonly log: Logger;
  /** Reads the settings again. */
  readonly reload: () => Promise<Settings>;
  /** Present when this is one of several processes on one port. */
  readonly role: WorkerPlace | undefined;
}

/** What the file and --demo ask for is registered behind the open port: a server that hangs delays nobody. */
const seed = async ({ settings, process, hub, log }: Session, url: string): Promise<void> => {
  const options = { registry: hub.registry, log, signal: process.signal };
  try {
    await applyDeclared(options, settings);
    if (!settings.demo) return;
    const all = await seedDemo(options, await preparedSamples({ settings, process, url }));
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
    log.warn('hub.json cannot be written: commands on this machine cannot find this hub.', { err });
  }
};

const welcome = async (session: Session, url: string): Promise<void> => {
  const { settings, process, hub } = session;
  await leaveNote(session, url);
  process.stdout.write(runningLine({ version: VERSION, url, home: settings.home }));
  const secret = process.stdout.isTTY && isLoopbackHost(settings.host) ? hub.openSignInLink() : undefined;
  process.stdout.write(consoleLine({ url, secret }));
};

const serveUntilStopped = async (session: Session, listening: Listening): Promise<void> => {
  const { settings, process, role, hub, log, reload } = session;
  const watch = new ConfigWatch({ registry: hub.registry, log, signal: process.signal, process, settings, reload });
  const seeded = deferred<undefined>();
  watch.start(seeded.promise);
  if (role === undefined) await welcome(session, listening.url);
  const seeding = role?.isFirst === false ? Promise.resolve() : seed(session, listening.url);
  void seeding.then(() => seeded.resolve(undefined));
  if (!process.signal.aborted) await once(process.signal, 'abort');
  listening.refuseNew();
  session.hub.beginStopping();
  await session.hub.leave();
  await seeding;
  await watch.stop();
};

/** Runs the hub until the process is told to stop; then lets what is in progress finish and releases everything. */
export const runHub = async (
  settings: Settings,
  process: ProcessContext,
  reload: () => Promise<Settings> = async () => settings,
  role?: WorkerPlace,
): Promise<void> => {
  await mkdir(settings.home, { recursive: true, mode: 0o700 });
  if (role === undefined) await assertOnlyHub(settings.home, process);
  const log = processLog(settings, process);
  let ownUrl = '';
  const hub = await composeHub(settings, log, {
    joinsFleet: role !== undefined || settings.databaseUrl !== undefined,
    localKey: role?.localKey,
    siblings: role?.siblings,
    samplesOf: (registry) => ({
      add: async (signal) =>
        addSamples({ registry, log, signal }, await preparedSamples({ settings, process, url: ownUrl })),
    }),
  });
  try {
    await hub.join();
    const listening = await listen(hub, settings);
    ownUrl = listening.url;
    try {
      await serveUntilStopped({ settings, process, hub, log, reload, role }, listening);
    } finally {
      await removeHubFile(settings.home, process.pid);
      await listening.close(DRAIN_MS);
    }
  } finally {
    await hub.close();
    log.flush?.();
  }
};
