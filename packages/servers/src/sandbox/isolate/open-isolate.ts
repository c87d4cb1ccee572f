import { QuickJS, type JSValueHandle } from 'quickjs-wasi';
import { moduleSource } from './bundled-modules.js';
import type { Engine, LinearMemory } from './engine-module.js';
import { GUEST_INTL } from './guest-intl.js';
import { GUEST_RUNTIME, RUNTIME_SYMBOL } from './guest-runtime.js';
import { GUEST_URL } from './guest-url.js';
import type { HostCalls } from './host-calls.js';
import { hostFunctions } from './host-functions.js';
import type { ConsoleLine, IsolateJob } from './isolate-job.js';
import type { Meter } from './meter.js';
import type { AskRuntime } from './plain-value.js';
import type { VirtualFiles } from './virtual-files.js';

export interface IsolateParts {
  readonly engine: Engine;
  readonly meter: Meter;
  readonly files: VirtualFiles;
  readonly calls: HostCalls;
  readonly say: (line: ConsoleLine) => void;
  readonly onRejection: (promise: JSValueHandle, reason: JSValueHandle, handled: boolean) => void;
}

export interface Isolate {
  readonly vm: QuickJS;
  readonly ask: AskRuntime;
  /** Calls one function of the guest's runtime. */
  readonly call: (name: string, ...values: JSValueHandle[]) => JSValueHandle;
}

const SUCCESS = 0;
const NANOSECONDS = 1_000_000n;

/**
 * The system interface that the engine was linked against, with nothing of the system behind it: a clock that knows
 * milliseconds, random numbers, and a void where it would write.
 */
export const wasiWithoutHost = (memory: LinearMemory) => ({
  clock_time_get: (_clock: number, _precision: bigint, result: number): number => {
    new DataView(memory.buffer).setBigUint64(result, BigInt(Date.now()) * NANOSECONDS, true);
    return SUCCESS;
  },
  random_get: (start: number, length: number): number => {
    crypto.getRandomValues(new Uint8Array(memory.buffer, start, length));
    return SUCCESS;
  },
  fd_write: (_descriptor: number, vectors: number, count: number, written: number): number => {
    const view = new DataView(memory.buffer);
    let bytes = 0;
    for (let index = 0; index < count; index += 1) bytes += view.getUint32(vectors + index * 8 + 4, true);
    view.setUint32(written, bytes, true);
    return SUCCESS;
  },
});

/** One QuickJS in one WASM instance with memory of its own: new, or as a run before left it. */
export const openIsolate = async (job: IsolateJob, parts: IsolateParts): Promise<Isolate> => {
  const { engine, meter, onRejection } = parts;
  const options = {
    wasm: engine.wasm,
    extensions: [...engine.extensions],
    memoryLimit: job.limits.memoryBytes,
    maxStackSize: job.limits.stackBytes,
    interruptHandler: () => meter.mustStop(),
    onUnhandledRejection: onRejection,
    timezoneOffset: 0,
    moduleLoader: { load: job.isProgram === true ? moduleSource : noModule },
    wasi: (memory: LinearMemory) => {
      meter.watch(memory);
      return wasiWithoutHost(memory);
    },
  };
  const { state } = job;
  const vm = await (state === undefined
    ? QuickJS.create(options)
    : QuickJS.restore({ ...state, extensions: [...state.extensions] }, options));
  const call = (name: string, ...values: JSValueHandle[]): JSValueHandle =>
    meter.active(() => {
      using symbol = vm.newSymbolFor(RUNTIME_SYMBOL);
      using runtime = vm.getProp(vm.global, symbol);
      using run = runtime.getProp(name);
      return vm.callFunction(run, vm.undefined, ...values);
    });
  const ask: AskRuntime = (name, value) => {
    try {
      return call(name, value);
    } catch {
      return vm.undefined;
    }
  };
  install(vm, { ...parts, ask, fresh: state === undefined });
  return { vm, ask, call };
};

// A loader that threw would show its stack to the guest.
const noModule = (): string => `throw new Error('Modules cannot be imported here.')`;

/** Globals of the runtime are not listed, and may be replaced by the code. */
const DEFINE = `(target, name, value) =>
  Object.defineProperty(target, name, { value, writable: true, enumerable: false, configurable: true })`;

const install = (
  vm: QuickJS,
  { fresh, meter, ...parts }: IsolateParts & { readonly ask: AskRuntime; readonly fresh: boolean },
): void => {
  const functions = Object.entries(hostFunctions({ vm, meter, ...parts }));
  if (!fresh) {
    for (const [name, run] of functions) vm.registerHostCallback(name, run);
    return;
  }
  using host = vm.newObject();
  for (const [name, run] of functions) {
    using handle = vm.newFunction(name, run);
    host.setProp(name, handle);
  }
  for (const code of [GUEST_RUNTIME, GUEST_URL, GUEST_INTL]) {
    using part = vm.evalCode(code, 'runtime.js');
    using define = vm.evalCode(DEFINE, 'runtime.js');
    vm.callFunction(part, vm.undefined, host, define).dispose();
  }
};
