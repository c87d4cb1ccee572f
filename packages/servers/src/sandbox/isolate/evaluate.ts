import { EvalFlags, JSException, type JSValueHandle, type QuickJS } from 'quickjs-wasi';
import swc from '@swc/wasm-typescript';
import type { Engine } from './engine-module.js';
import { guestErrorOf, stopCodeOf, stopCodeOfHostError } from './failure.js';
import type {
  ConsoleLine,
  GuestError,
  GuestValue,
  IsolateJob,
  IsolateState,
  RunOutcome,
  RunTraces,
} from './isolate-job.js';
import { HostCalls, type AnswerGuest } from './host-calls.js';
import { Meter } from './meter.js';
import { asScript } from './module-syntax.js';
import { openIsolate, type Isolate } from './open-isolate.js';
import { ExcessError, PlainWriter } from './plain-value.js';
import { VirtualFiles } from './virtual-files.js';

const MAX_RESULT_NODES = 50_000;
const MAX_RESULT_DEPTH = 64;

export interface EvaluateParts {
  readonly engine: Engine;
  readonly say: (line: ConsoleLine) => void;
  /** Answers what the code asks of the host; without it the code cannot ask. */
  readonly answer?: AnswerGuest | undefined;
}

type Ending =
  | { readonly kind: 'completed'; readonly value: GuestValue }
  | { readonly kind: 'threw'; readonly error: GuestError };

const MAX_KEPT = 20;

/** Rejections that nobody took care of by the end of the run. */
class UnhandledRejections {
  readonly #texts = new Map<number, string>();

  readonly note = (promise: JSValueHandle, reason: JSValueHandle, handled: boolean): void => {
    if (handled) {
      this.#texts.delete(promise.identity);
    } else if (this.#texts.size < MAX_KEPT) {
      const { name, message } = guestErrorOf(reason);
      this.#texts.set(promise.identity, `Unhandled rejection: ${name}: ${message}`);
    }
  };

  /** The host itself takes care of this one. */
  forget(promise: JSValueHandle): void {
    this.#texts.delete(promise.identity);
  }

  take(): readonly string[] {
    const texts = [...this.#texts.values()];
    this.#texts.clear();
    return texts;
  }
}

/** Runs a job to its end. Only what the code itself did wrong is told in detail; nothing of the host is. */
export const evaluate = async (job: IsolateJob, { engine, say, answer }: EvaluateParts): Promise<RunOutcome> => {
  const meter = new Meter(job.limits);
  const files = new VirtualFiles(job.files, job.limits);
  try {
    const stripped = strip(job);
    if (typeof stripped !== 'string') {
      const untouched = { written: [], removed: [], ...(job.state === undefined ? {} : { state: job.state }) };
      return { kind: 'threw', error: stripped, usage: meter.usage, ...untouched };
    }
    const rejections = new UnhandledRejections();
    const calls = new HostCalls(job.mayCallHost === true ? answer : undefined);
    const isolate = await openIsolate(job, { engine, meter, files, say, calls, onRejection: rejections.note });
    const run = new Run({ isolate, meter, job, rejections, calls });
    const ending = run.withAfter(await run.toTheEnd(stripped));
    if (meter.stopped !== undefined) return { kind: 'stopped', code: meter.stopped, usage: meter.usage };
    const unhandled = rejections.take();
    // They count as output, too, but come too late to stop the run.
    for (const text of unhandled) if (meter.outputLeft >= text.length) say({ level: 'error', text });
    return { ...ending, ...traces(files, run.state()), unhandled, usage: meter.usage };
  } catch (error) {
    const code = meter.stopped ?? stopCodeOfHostError(error);
    return { kind: 'stopped', code, usage: meter.usage };
  }
};

type Stripped =
  | { readonly kind: 'stripped'; readonly code: string }
  | { readonly kind: 'invalid'; readonly message: string; readonly line: number };

interface SwcRefusal {
  readonly code: string;
  readonly message: string;
  readonly startLine?: number;
}

const isRefusal = (error: unknown): error is SwcRefusal =>
  typeof error === 'object' &&
  error !== null &&
  'code' in error &&
  'message' in error &&
  typeof error.message === 'string';

const attempt = (code: string, mode: 'strip-only' | 'transform'): string =>
  swc.transformSync(code, { mode, sourceMap: false, filename: 'main.ts' }).code;

/** Types become blanks, so that lines stay where they are; enums and the like are rewritten. */
export const stripTypes = (code: string): Stripped => {
  for (const mode of ['strip-only', 'transform'] as const) {
    try {
      return { kind: 'stripped', code: attempt(code, mode) };
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (error.code === 'UnsupportedSyntax' && mode === 'strip-only') continue;
      return { kind: 'invalid', message: error.message, line: error.startLine ?? 1 };
    }
  }
  return { kind: 'invalid', message: 'The code cannot be read as TypeScript.', line: 1 };
};

const strip = ({ code, language, isProgram = false }: IsolateJob): string | GuestError => {
  const script = isProgram ? asScript : (text: string): string => text;
  if (language === 'javascript') return script(code);
  const stripped = stripTypes(code);
  if (stripped.kind === 'stripped') return script(stripped.code);
  return { name: 'SyntaxError', message: stripped.message, stack: `    at main.ts:${stripped.line}` };
};

const traces = (files: VirtualFiles, state: IsolateState | undefined): RunTraces => ({
  written: files.written,
  removed: files.removed,
  ...(state === undefined ? {} : { state }),
});

interface RunParts {
  readonly isolate: Isolate;
  readonly meter: Meter;
  readonly job: IsolateJob;
  readonly rejections: UnhandledRejections;
  readonly calls: HostCalls;
}

/** One run inside of one isolate. */
class Run {
  readonly #isolate: Isolate;
  readonly #vm: QuickJS;
  readonly #meter: Meter;
  readonly #job: IsolateJob;
  readonly #rejections: UnhandledRejections;
  readonly #calls: HostCalls;

  constructor({ isolate, meter, job, rejections, calls }: RunParts) {
    this.#isolate = isolate;
    this.#vm = isolate.vm;
    this.#meter = meter;
    this.#job = job;
    this.#rejections = rejections;
    this.#calls = calls;
  }

  async toTheEnd(code: string): Promise<Ending> {
    try {
      if (this.#job.before !== undefined) this.#eval(this.#job.before, 'before.js', 0).dispose();
      const promise = this.#eval(code, this.#job.language === 'typescript' ? 'main.ts' : 'main.js', EvalFlags.ASYNC);
      await this.#settle(promise);
      return await this.#endingOf(promise);
    } catch (error) {
      if (!(error instanceof JSException)) throw error;
      return this.#thrown(error.handle);
    } finally {
      this.#isolate.call('dropTimers').dispose();
    }
  }

  withAfter(ending: Ending): Ending & { readonly value?: GuestValue } {
    if (this.#job.after === undefined || this.#meter.stopped !== undefined) return ending;
    const handle = this.#eval(this.#job.after, 'after.js', 0);
    return { ...ending, value: this.#plain(handle) };
  }

  state(): IsolateState | undefined {
    if (!this.#job.keepState) return undefined;
    this.#vm.runGC();
    const { memory, stackPointer, runtimePtr, contextPtr, extensions } = this.#vm.snapshot();
    return { memory, stackPointer, runtimePtr, contextPtr, extensions };
  }

  #eval(code: string, name: string, flags: number): JSValueHandle {
    return this.#meter.active(() => this.#vm.evalCode(code, name, flags));
  }

  /** Until nothing is left to do: no job, no timer, no answer of the host to come. */
  async #settle(promise: JSValueHandle): Promise<void> {
    for (;;) {
      this.#meter.active(() => this.#vm.executePendingJobs());
      if (this.#meter.stopped !== undefined || promise.promiseState === REJECTED) return;
      const wait = this.#isolate.call('untilTimer').consume((handle) => handle.toNumber());
      if (!(wait >= 0) && !this.#calls.isWaiting) return;
      if (wait === 0) this.#isolate.call('fireTimer').dispose();
      else await this.#calls.next(wait > 0 ? wait : undefined);
      for (const { id, text } of this.#calls.take()) this.#deliver(id, text);
    }
  }

  #deliver(id: number, text: string): void {
    using number = this.#vm.newNumber(id);
    using answer = this.#vm.newString(text);
    this.#isolate.call('deliver', number, answer).dispose();
  }

  async #endingOf(promise: JSValueHandle): Promise<Ending> {
    if (promise.promiseState === PENDING) this.#meter.stop('NEVER_SETTLES');
    if (this.#meter.stopped !== undefined) return NOTHING;
    this.#rejections.forget(promise);
    const settled = await this.#vm.resolvePromise(promise);
    promise.dispose();
    if ('error' in settled) return this.#thrown(settled.error);
    // The engine wraps the completion of an async script in an object.
    const completion = settled.value.getOwnPropertyDescriptor('value')?.value ?? this.#vm.undefined;
    settled.value.dispose();
    return { kind: 'completed', value: this.#plain(completion) };
  }

  #thrown(reason: JSValueHandle): Ending {
    return this.#vm.withScope(() => {
      const error = guestErrorOf(reason, this.#isolate.ask);
      const stop = stopCodeOf(error);
      if (stop !== undefined) this.#meter.stop(stop);
      return { kind: 'threw', error };
    });
  }

  #plain(value: JSValueHandle): GuestValue {
    const type = value.isNull ? 'null' : value.isArray ? 'array' : value.typeof;
    const { resultBytes } = this.#job.limits;
    const bounds = {
      maxNodes: MAX_RESULT_NODES,
      maxDepth: MAX_RESULT_DEPTH,
      maxBytes: resultBytes,
      excess: 'refuse',
    } as const;
    try {
      const plain = this.#vm.withScope(() => new PlainWriter(bounds, this.#isolate.ask).write(value));
      const json = plain === undefined ? undefined : JSON.stringify(plain);
      if (json !== undefined && Buffer.byteLength(json) > resultBytes) throw new ExcessError();
      return json === undefined ? { type } : { type, json };
    } catch (error) {
      if (!(error instanceof ExcessError)) throw error;
      this.#meter.stop('OUTPUT_LIMIT');
      return { type };
    } finally {
      value.dispose();
    }
  }
}

const PENDING = 0;
const REJECTED = 2;
const NOTHING: Ending = { kind: 'completed', value: { type: 'undefined' } };
