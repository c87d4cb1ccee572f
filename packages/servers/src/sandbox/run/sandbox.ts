import { FetchHost } from './fetch-host.js';
import { IsolatePool, PoolBusyError } from '../isolate/isolate-pool.js';
import type { ConsoleLine, IsolateJob, NamedBytes, RunOutcome } from '../isolate/isolate-job.js';
import type { IsolateLimits } from '../isolate/isolate-limits.js';
import { SandboxBase } from './sandbox-base.js';
import { SandboxError } from '../sandbox-error.js';
import type { SandboxSettings } from './sandbox-settings.js';
import { FileShelf } from '../session/file-shelf.js';
import { SessionShelf, type Session } from '../session/session-shelf.js';
import type { StoredFile } from '../session/stored-file.js';

export interface RunInput {
  readonly code: string;
  readonly language: 'javascript' | 'typescript';
  readonly sessionId?: string | undefined;
  /** Handles of files that the code may read. */
  readonly files: readonly string[];
  readonly limits: Partial<Pick<IsolateLimits, 'cpuMs' | 'timeMs' | 'memoryBytes'>>;
}

export interface RunContext {
  readonly owner: string | undefined;
  readonly signal?: AbortSignal;
  readonly onLine?: (line: ConsoleLine) => void;
}

export interface RunResult {
  readonly outcome: RunOutcome;
  readonly console: readonly ConsoleLine[];
  readonly files: readonly StoredFile[];
  readonly elapsedMs: number;
}

/** Code, files and sessions: everything that the server offers, without the protocol. */
export class Sandbox {
  readonly #settings: SandboxSettings;
  readonly #pool: Pick<IsolatePool, 'run' | 'close' | 'running' | 'waiting'>;
  readonly #files: FileShelf;
  readonly #sessions: SessionShelf;
  readonly #base: SandboxBase;
  readonly #fetch: FetchHost | undefined;

  constructor(settings: SandboxSettings, pool?: Pick<IsolatePool, 'run' | 'close' | 'running' | 'waiting'>) {
    const { limits, now, sessionIdleMs: idleMs } = settings;
    this.#settings = settings;
    this.#pool = pool ?? new IsolatePool({ size: settings.concurrency, maxWaiting: settings.maxWaiting });
    this.#fetch = settings.fetch === undefined ? undefined : new FetchHost(settings.fetch);
    this.#base = new SandboxBase(this.#pool, limits, { fetch: this.#fetch !== undefined });
    this.#files = new FileShelf({ ...limits, totalBytes: settings.totalFileBytes, idleMs, now });
    this.#sessions = new SessionShelf({
      maxSessions: settings.maxSessions,
      stateBytes: settings.totalStateBytes,
      idleMs,
      now,
      onEnd: ({ id }) => this.#files.dropSession(id),
    });
  }

  get settings(): SandboxSettings {
    return this.#settings;
  }

  get load(): { readonly sessions: number; readonly running: number; readonly waiting: number } {
    this.#sessions.sweep();
    return { sessions: this.#sessions.size, running: this.#pool.running, waiting: this.#pool.waiting };
  }

  createSession(owner: string | undefined): Session {
    return this.#sessions.create(owner);
  }

  closeSession(id: string, owner: string | undefined): boolean {
    return this.#sessions.close(id, owner);
  }

  putFile(file: NamedBytes, sessionId: string | undefined, owner: string | undefined): StoredFile {
    const session = sessionId === undefined ? undefined : this.#sessions.get(sessionId, owner);
    return this.#files.put({ ...file, owner, sessionId: session?.id });
  }

  getFile(handle: string, owner: string | undefined): StoredFile {
    return this.#files.get(handle, owner);
  }

  listFiles(sessionId: string, owner: string | undefined): readonly StoredFile[] {
    return this.#files.ofSession(this.#sessions.get(sessionId, owner).id);
  }

  async run(input: RunInput, context: RunContext): Promise<RunResult> {
    const { owner } = context;
    if (input.sessionId === undefined) return this.#run(input, undefined, context);
    const session = this.#sessions.get(input.sessionId, owner);
    return this.#sessions.use(session, () => this.#run(input, session, context));
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }

  async #run(input: RunInput, session: Session | undefined, context: RunContext): Promise<RunResult> {
    const state = session?.state ?? (await this.#base.state());
    const job = { ...this.#job(input, session, context.owner), state };
    const console: ConsoleLine[] = [];
    const onLine = (line: ConsoleLine): void => {
      console.push(line);
      context.onLine?.(line);
    };
    const started = performance.now();
    const outcome = await this.#inPool(job, { ...context, onLine });
    const elapsedMs = Math.round(performance.now() - started);
    return { outcome, console, files: this.#keep(outcome, session, context.owner), elapsedMs };
  }

  #job(
    { code, language, files, limits }: RunInput,
    session: Session | undefined,
    owner: string | undefined,
  ): IsolateJob {
    const mounted = new Map<string, StoredFile>();
    for (const file of session === undefined ? [] : this.#files.ofSession(session.id)) mounted.set(file.name, file);
    for (const handle of files) {
      const file = this.#files.get(handle, owner);
      mounted.set(file.name, file);
    }
    const allowed = this.#settings.limits;
    return {
      code,
      language,
      limits: {
        ...allowed,
        cpuMs: Math.min(limits.cpuMs ?? allowed.cpuMs, allowed.cpuMs),
        timeMs: Math.min(limits.timeMs ?? allowed.timeMs, allowed.timeMs),
        memoryBytes: Math.min(limits.memoryBytes ?? allowed.memoryBytes, allowed.memoryBytes),
      },
      files: [...mounted.values()].map(({ name, bytes }) => ({ name, bytes })),
      keepState: session !== undefined,
      isProgram: true,
      mayCallHost: this.#fetch !== undefined,
    };
  }

  async #inPool(job: IsolateJob, { signal, onLine }: RunContext): Promise<RunOutcome> {
    try {
      return await this.#pool.run(job, {
        ...(signal === undefined ? {} : { signal }),
        ...(onLine === undefined ? {} : { onLine }),
        ...(this.#fetch === undefined ? {} : { answer: (question: string) => this.#answer(question, signal) }),
      });
    } catch (error) {
      throw error instanceof PoolBusyError ? new SandboxError('BUSY') : error;
    }
  }

  #answer(question: string, signal: AbortSignal | undefined): Promise<string> {
    return this.#fetch?.answer(question, signal) ?? Promise.resolve('');
  }

  /** A run that was stopped leaves no trace; any other leaves its files and, in a session, its state. */
  #keep(outcome: RunOutcome, session: Session | undefined, owner: string | undefined): readonly StoredFile[] {
    if (outcome.kind === 'stopped' || session?.ended === true) return [];
    if (session !== undefined) {
      const { state } = outcome;
      if (state !== undefined && !this.#sessions.keep(session, state)) throw new SandboxError('STATE_LIMIT');
      const removed = new Set(outcome.removed);
      for (const { name, handle } of this.#files.ofSession(session.id)) if (removed.has(name)) this.#files.drop(handle);
    }
    return outcome.written.map(({ name, bytes }) => this.#files.put({ name, bytes, owner, sessionId: session?.id }));
  }
}
