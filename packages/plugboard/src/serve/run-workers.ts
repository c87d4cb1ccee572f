import cluster, { type Address, type Worker } from 'node:cluster';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { EXIT, type ExitCode, PlugboardError } from '@plugboard/contract';
import type { Siblings } from '@plugboard/registry';
import { removeHubFile, writeHubFile } from '../hub-api/connect/hub-file.js';
import type { Logger } from '../log/logger.js';
import { processLog } from '../log/process-log.js';
import type { ProcessContext } from '../process/process-context.js';
import { VERSION } from '../process/version.js';
import type { Settings } from '../settings/settings.js';
import { prepareStore } from '../store/open-store.js';
import { assertOnlyHub } from './only-hub.js';
import { consoleLine, runningLine } from './welcome.js';
import { failuresAfter, restartPause } from './worker-count.js';
import { NewsExchange, type NewsLine, siblingsBehind } from './sibling-news.js';
import { isWorkerRole, type WorkerPlace } from './worker-role.js';

/** How long workers may take to stop; longer than a hub drains. */
const STOP_MS = 12_000;
const ROLE_MS = 30_000;
const ASK = 'role';

/** Is this process one of several that another one started? */
export const isWorker = (): boolean => cluster.isWorker;

/** The other workers of the process that started this one. */
const otherWorkers = (): Siblings =>
  siblingsBehind({
    // Without a callback, the failure ends the process.
    send: (news) => void globalThis.process.send?.(news, undefined, undefined, () => undefined),
    onMessage: (listener) => void globalThis.process.on('message', listener),
  });

/** What the process that started this one has to say. */
export const workerPlace = async (): Promise<WorkerPlace> => {
  const told = once(globalThis.process, 'message', { signal: AbortSignal.timeout(ROLE_MS) });
  // What is sent before somebody listens is lost, so the role is asked for.
  globalThis.process.send?.(ASK);
  const [role] = (await told) as unknown[];
  if (isWorkerRole(role)) return { ...role, siblings: otherWorkers() };
  throw new PlugboardError('INTERNAL', 'This process was started as a worker without a role.');
};

const urlOf = ({ port }: Address, host: string): string =>
  `http://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`;

/** Starts workers, and starts those again that end. */
class Workers {
  readonly #localKey: string;
  readonly #log: Logger;
  readonly #signal: AbortSignal;
  readonly #running = new Set<Worker>();
  readonly #news = new NewsExchange();
  #failures = 0;
  #failed: ((code: ExitCode) => void) | undefined;
  /** The exit code of a worker that ended before it could listen. */
  readonly failed: Promise<ExitCode>;

  constructor(localKey: string, log: Logger, signal: AbortSignal) {
    this.#localKey = localKey;
    this.#log = log;
    this.#signal = signal;
    this.failed = new Promise((resolve) => (this.#failed = resolve));
  }

  start(isFirst: boolean): Worker {
    const startedAt = performance.now();
    const worker = cluster.fork();
    let hasListened = false;
    this.#running.add(worker);
    const line: NewsLine = {
      // Without a callback, a worker that just ended would end this process.
      send: (news) => void worker.send(news, () => undefined),
      onMessage: (listener) => void worker.on('message', listener),
    };
    worker.once('message', () => {
      worker.send({ localKey: this.#localKey, isFirst });
      // What is sent earlier is lost, and a change would wait for it.
      this.#news.add(line);
    });
    worker.once('listening', () => (hasListened = true));
    worker.once('exit', (code, signal) => {
      this.#running.delete(worker);
      this.#news.remove(line);
      if (this.#signal.aborted) return;
      if (!hasListened && signal === null) {
        this.#failed?.(code as ExitCode);
        return;
      }
      this.#failures = failuresAfter(this.#failures, performance.now() - startedAt);
      this.#log.warn('A worker exited. A new one is being started.', { pid: worker.process.pid, code, signal });
      void this.#again(isFirst);
    });
    return worker;
  }

  async stop(): Promise<void> {
    const ended = [...this.#running].map((worker) => once(worker, 'exit'));
    for (const { process } of this.#running) process.kill('SIGTERM');
    const cut = setTimeout(() => {
      for (const { process } of this.#running) process.kill('SIGKILL');
    }, STOP_MS);
    await Promise.all(ended);
    clearTimeout(cut);
  }

  async #again(isFirst: boolean): Promise<void> {
    await wait(restartPause(this.#failures), undefined, { signal: this.#signal }).catch(() => undefined);
    if (!this.#signal.aborted) this.start(isFirst);
  }
}

/** Runs several processes on one port and one store until the process is told to stop. */
export const runWorkers = async (count: number, settings: Settings, process: ProcessContext): Promise<ExitCode> => {
  await mkdir(settings.home, { recursive: true, mode: 0o700 });
  await assertOnlyHub(settings.home, process);
  // The master key and the schema are there before several processes ask for them.
  await prepareStore(settings);
  const log = processLog(settings, process);
  const key = `pb_local_${randomBytes(32).toString('base64url')}`;
  const workers = new Workers(key, log, process.signal);
  try {
    const first = workers.start(true);
    const listening = once(first, 'listening').then(([address]) => address as Address);
    const started = await Promise.race([listening, workers.failed]);
    if (typeof started === 'number') return started;
    const url = urlOf(started, settings.host);
    for (let index = 1; index < count; index += 1) workers.start(false);
    await writeHubFile(settings.home, { pid: process.pid, url, started_at: new Date().toISOString(), key });
    process.stdout.write(runningLine({ version: VERSION, url, home: settings.home }));
    process.stdout.write(consoleLine({ url, secret: undefined }));
    if (process.signal.aborted) return EXIT.ok;
    const stopped = once(process.signal, 'abort').then(() => EXIT.ok);
    return await Promise.race([stopped, workers.failed]);
  } finally {
    await removeHubFile(settings.home, process.pid);
    await workers.stop();
    log.flush?.();
  }
};
