import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { z } from 'zod';
import { IsolatePool } from '../../sandbox/isolate/isolate-pool.js';
import type { ConsoleLine, IsolateJob, IsolateState, RunOutcome } from '../../sandbox/isolate/isolate-job.js';
import { DEFAULT_LIMITS, type IsolateLimits } from '../../sandbox/isolate/isolate-limits.js';
import { CollectionError } from '../collections-error.js';
import type { KeyValue } from '../library/collection-model.js';
import type { VariableScopes } from '../run/variable-scopes.js';
import { PM_RUNTIME } from './pm-runtime.js';

export interface ScriptContext {
  readonly scopes: VariableScopes;
  readonly info: {
    readonly requestName: string;
    readonly iteration: number;
    readonly eventName: 'prerequest' | 'test';
  };
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: readonly KeyValue[];
    readonly body?: string;
  };
  readonly response?: {
    readonly code: number;
    readonly status: string;
    readonly timeMs: number;
    readonly size: number;
    readonly headers: readonly KeyValue[];
    readonly body: string;
  };
}

export interface Assertion {
  readonly name: string;
  readonly passed: boolean;
  readonly message?: string | undefined;
}

export interface ScriptResult {
  readonly assertions: readonly Assertion[];
  readonly scopes: VariableScopes;
  readonly console: readonly ConsoleLine[];
  /** The script ended with this. */
  readonly problem?: string;
}

const values = z.record(z.string(), z.string());
const reportShape = z.object({
  assertions: z.array(z.object({ name: z.string(), passed: z.boolean(), message: z.string().optional() })),
  scopes: z.object({ globals: values, collection: values, environment: values, local: values }),
});

const require = createRequire(import.meta.url);
const MIB = 1024 * 1024;
const LIMITS: IsolateLimits = {
  ...DEFAULT_LIMITS,
  cpuMs: 1500,
  timeMs: 10_000,
  memoryBytes: 48 * MIB,
  resultBytes: 2 * MIB,
  outputBytes: 64 * 1024,
  fileCount: 0,
};

/** Runs scripts of collections in isolates: they see what they are given and can change only variables. */
export class ScriptRunner {
  readonly #pool: Pick<IsolatePool, 'run' | 'close'>;
  #prepared: Promise<IsolateState> | undefined;

  constructor(pool: Pick<IsolatePool, 'run' | 'close'> = new IsolatePool({ size: 1, maxWaiting: 1000 })) {
    this.#pool = pool;
  }

  async run(script: string, context: ScriptContext, signal?: AbortSignal): Promise<ScriptResult> {
    const console: ConsoleLine[] = [];
    const job: IsolateJob = {
      code: script,
      language: 'javascript',
      limits: LIMITS,
      files: [],
      keepState: false,
      state: await this.#runtime(),
      // Parsed inside: as a literal, a key "__proto__" would be more than a key.
      before: `__plugboard.begin(JSON.parse(${JSON.stringify(JSON.stringify(context))}))`,
      after: '__plugboard.report()',
    };
    const outcome = await this.#pool.run(job, {
      onLine: (line) => console.push(line),
      ...(signal === undefined ? {} : { signal }),
    });
    return { ...resultOf(outcome, context.scopes), console };
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }

  /** The runtime is loaded once; every script starts from its snapshot. */
  async #runtime(): Promise<IsolateState> {
    this.#prepared ??= this.#prepare();
    try {
      return await this.#prepared;
    } catch (error) {
      this.#prepared = undefined;
      throw error;
    }
  }

  async #prepare(): Promise<IsolateState> {
    const chai = await readFile(require.resolve('chai'), 'utf8');
    const outcome = await this.#pool.run({
      code: PM_RUNTIME,
      language: 'javascript',
      limits: { ...LIMITS, cpuMs: 20_000, timeMs: 30_000 },
      files: [],
      keepState: true,
      modules: { chai },
    });
    if (outcome.kind === 'completed' && outcome.state !== undefined) return outcome.state;
    throw new CollectionError('SCRIPT_FAILED', 'The runtime for scripts could not be started.');
  }
}

const resultOf = (outcome: RunOutcome, before: VariableScopes): Omit<ScriptResult, 'console'> => {
  if (outcome.kind === 'stopped') {
    if (outcome.code === 'CANCELLED') throw new CollectionError('CANCELLED');
    return { assertions: [], scopes: before, problem: `The script was stopped: ${outcome.code}.` };
  }
  const report = reportShape.safeParse(JSON.parse(outcome.value?.json ?? 'null'));
  if (!report.success) return { assertions: [], scopes: before, problem: 'The script left no report.' };
  const { assertions, scopes } = report.data;
  if (outcome.kind === 'completed') return { assertions, scopes };
  return { assertions, scopes, problem: `${outcome.error.name}: ${outcome.error.message}` };
};
