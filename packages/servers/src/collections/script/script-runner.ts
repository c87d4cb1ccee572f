import { madeOnce } from '@plugboard/base';
import { IsolatePool } from '../../sandbox/isolate/isolate-pool.js';
import type { ConsoleLine, IsolateJob, IsolateState, RunOutcome } from '../../sandbox/isolate/isolate-job.js';
import { DEFAULT_LIMITS, type IsolateLimits } from '../../sandbox/isolate/isolate-limits.js';
import { CollectionError } from '../collections-error.js';
import { BRIDGE } from './guest-bridge.js';
import { postmanBoot } from './postman-boot.js';
import { executeOrder, type ScriptContext } from './script-context.js';
import { readScriptReport, type ScriptReport } from './script-report.js';

export interface ScriptResult extends ScriptReport {
  readonly console: readonly ConsoleLine[];
}

export interface ScriptOptions {
  readonly signal?: AbortSignal | undefined;
  /** Answers what a script asks: requests and cookies. */
  readonly answer: (question: string) => Promise<string>;
}

const MIB = 1024 * 1024;
const LIMITS: IsolateLimits = {
  ...DEFAULT_LIMITS,
  cpuMs: 3000,
  timeMs: 30_000,
  memoryBytes: 96 * MIB,
  stackBytes: 512 * 1024,
  resultBytes: 4 * MIB,
  outputBytes: 64 * 1024,
  fileCount: 0,
};

/** The sandbox of Postman takes this much before a script begins; its threads are worth keeping. */
const RETIRE_BYTES = 64 * MIB;

/** Runs scripts of collections in isolates: they see what they are given, and ask the host for everything else. */
export class ScriptRunner {
  readonly #pool: Pick<IsolatePool, 'run' | 'close'>;
  /** The runtime is loaded once; every script starts from its snapshot. */
  readonly #runtime = madeOnce(() => this.#prepare());

  constructor(
    pool: Pick<IsolatePool, 'run' | 'close'> = new IsolatePool({
      size: 1,
      maxWaiting: 1000,
      retireBytes: RETIRE_BYTES,
    }),
  ) {
    this.#pool = pool;
  }

  async run(script: string, context: ScriptContext, { signal, answer }: ScriptOptions): Promise<ScriptResult> {
    const console: ConsoleLine[] = [];
    const job: IsolateJob = {
      // Parsed inside: as a literal, a key "__proto__" would be more than a key.
      code: `${BRIDGE}.execute(${JSON.stringify(executeOrder(script, context))}); undefined`,
      language: 'javascript',
      limits: LIMITS,
      files: [],
      keepState: false,
      mayCallHost: true,
      state: await this.#runtime(),
      after: `${BRIDGE}.report()`,
    };
    const outcome = await this.#pool.run(job, {
      onLine: (line) => console.push(line),
      answer,
      ...(signal === undefined ? {} : { signal }),
    });
    return { ...resultOf(outcome, context), console };
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }

  async #prepare(): Promise<IsolateState> {
    const outcome = await this.#pool.run({
      code: await postmanBoot(),
      language: 'javascript',
      limits: { ...LIMITS, cpuMs: 30_000, timeMs: 60_000 },
      files: [],
      keepState: true,
    });
    if (outcome.kind === 'completed' && outcome.state !== undefined) return outcome.state;
    throw new CollectionError('SCRIPT_FAILED', 'The runtime for scripts could not be started.');
  }
}

const resultOf = (outcome: RunOutcome, { scopes }: ScriptContext): ScriptReport => {
  const failed = (problem: string): ScriptReport => ({ assertions: [], scopes, skipped: false, problem });
  if (outcome.kind === 'stopped') {
    if (outcome.code === 'CANCELLED') throw new CollectionError('CANCELLED');
    return failed(`The script was stopped: ${outcome.code}.`);
  }
  const text: unknown = JSON.parse(outcome.value?.json ?? 'null');
  const report = typeof text === 'string' ? readScriptReport(text, scopes) : undefined;
  if (report === undefined) return failed('The script left no report.');
  if (outcome.kind === 'threw') return { ...report, problem: `${outcome.error.name}: ${outcome.error.message}` };
  // An asynchronous test that fails is such a rejection: Postman counts the test itself as passed.
  const [unhandled] = outcome.unhandled ?? [];
  return unhandled === undefined || report.problem !== undefined ? report : { ...report, problem: unhandled };
};
