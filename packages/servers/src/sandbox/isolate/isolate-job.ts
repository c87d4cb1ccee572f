import type { IsolateLimits } from './isolate-limits.js';

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** The whole memory of an isolate, from which the next run of a session goes on. */
export interface IsolateState {
  readonly memory: Uint8Array;
  readonly stackPointer: number;
  readonly runtimePtr: number;
  readonly contextPtr: number;
  readonly extensions: readonly IsolateExtension[];
}

/** Where an extension of the engine lies in the memory. */
export interface IsolateExtension {
  readonly name: string;
  readonly memoryBase: number;
  readonly tableBase: number;
  readonly initFn: string;
}

export interface NamedBytes {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface IsolateJob {
  readonly code: string;
  readonly language: 'javascript' | 'typescript';
  readonly limits: IsolateLimits;
  readonly files: readonly NamedBytes[];
  /** Where the run starts from; a new isolate when absent. */
  readonly state?: IsolateState;
  /** Whether the run ends with a state that another can start from. */
  readonly keepState: boolean;
  /** Whether the code may import the common modules, and is written as a program: with imports, exports, `return`. */
  readonly isProgram?: boolean;
  /** Whether the code may ask the host, through `callHost` of its runtime. */
  readonly mayCallHost?: boolean;
  /** Code of the host that prepares the isolate for the code of the job. */
  readonly before?: string;
  /** An expression of the host whose value becomes the result, also when the code threw. */
  readonly after?: string;
}

export const CONSOLE_LEVELS = ['log', 'info', 'warn', 'error', 'debug'] as const;
export type ConsoleLevel = (typeof CONSOLE_LEVELS)[number];

export interface ConsoleLine {
  readonly level: ConsoleLevel;
  readonly text: string;
}

/** Why a run was ended from outside of its code. */
export type StopCode =
  | 'CPU_LIMIT'
  | 'TIME_LIMIT'
  | 'MEMORY_LIMIT'
  | 'STACK_LIMIT'
  | 'OUTPUT_LIMIT'
  | 'NEVER_SETTLES'
  | 'CANCELLED'
  | 'ENGINE_FAULT';

export interface GuestError {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
}

export interface GuestValue {
  /** As `typeof` says it, with `null` and `array` beside. */
  readonly type: string;
  /** JSON text; absent for `undefined`. */
  readonly json?: string;
}

export interface IsolateUsage {
  readonly cpuMs: number;
  readonly memoryBytes: number;
}

/** What is kept after code that finished or threw an error. */
export interface RunTraces {
  /** Rejections that no code took care of. */
  readonly unhandled?: readonly string[];
  readonly written: readonly NamedBytes[];
  readonly removed: readonly string[];
  readonly state?: IsolateState;
}

export type RunOutcome =
  | ({ readonly kind: 'completed'; readonly value: GuestValue; readonly usage: IsolateUsage } & RunTraces)
  | ({
      readonly kind: 'threw';
      readonly error: GuestError;
      readonly value?: GuestValue;
      readonly usage: IsolateUsage;
    } & RunTraces)
  | { readonly kind: 'stopped'; readonly code: StopCode; readonly usage: IsolateUsage };
