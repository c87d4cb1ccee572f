import { isDeepStrictEqual } from 'node:util';
import { abortedError } from '../error/aborted-error.js';
import type { McpClientError } from '../error/client-error.js';
import { processEndedError } from '../error/process-error.js';
import { sleep, type Clock, type Random } from '../policy/clock.js';
import type { ChildLauncher } from './child-launcher.js';
import { crashLoopError } from './crash-loop-error.js';
import type { ExitReport } from './exit-report.js';
import type { LaunchedProcess, LaunchOptions } from './launch-process.js';
import type { ProcessSpec } from './process-spec.js';
import { createRestartBudget, defaultRestartPolicy, type RestartPolicy } from './restart-budget.js';

export interface StdioServerOptions {
  readonly name: string;
  /** Of each child with its descendants, resident. */
  readonly memoryLimitBytes?: number | undefined;
  readonly restart?: Partial<RestartPolicy> | undefined;
}

export type StdioServerState =
  | { readonly status: 'well'; readonly children: number }
  | { readonly status: 'backing-off'; readonly children: number; readonly restartAt: number }
  | { readonly status: 'crash-loop'; readonly children: number; readonly retryAt: number; readonly failures: number };

/** A server that each connection runs a child of its own of; all of them together spend one restart budget. */
export interface StdioServer {
  readonly name: string;
  /** A new child. After failures it waits its turn; in a crash loop it throws at once. Fits `launch` of a client. */
  readonly launch: (spec: ProcessSpec, options?: LaunchOptions) => Promise<LaunchedProcess>;
  state(): StdioServerState;
  onChange(listener: (state: StdioServerState) => void): () => void;
  /** Forgets earlier failures, when somebody repaired the server by hand. */
  reset(): void;
}

type Trouble =
  | { readonly kind: 'none' }
  | { readonly kind: 'wait'; readonly until: number }
  | { readonly kind: 'loop'; readonly until: number; readonly failures: number; readonly last: McpClientError }
  | { readonly kind: 'down'; readonly last: McpClientError };

export interface StdioServerPorts {
  readonly launch: ChildLauncher;
  readonly clock: Clock;
  readonly random: Random;
}

const isFailure = (report: ExitReport): boolean => {
  switch (report.reason) {
    case 'stopped':
    case 'idle':
      return false;
    case 'exited':
      return report.code !== 0;
    case 'signalled':
    case 'not-ready':
    case 'unresponsive':
    case 'memory-limit':
      return true;
  }
  return report.reason satisfies never;
};

export const createStdioServer = (options: StdioServerOptions, ports: StdioServerPorts): StdioServer => {
  const { clock } = ports;
  const policy = { ...defaultRestartPolicy, ...options.restart };
  const budget = createRestartBudget({ policy, clock, random: ports.random });
  const listeners = new Set<(state: StdioServerState) => void>();
  let trouble: Trouble = { kind: 'none' };
  let lastSpec: ProcessSpec | undefined;
  let children = 0;

  const state = (): StdioServerState => {
    if (trouble.kind === 'loop' && clock.now() < trouble.until) {
      return { status: 'crash-loop', children, retryAt: trouble.until, failures: trouble.failures };
    }
    if (trouble.kind === 'wait' && clock.now() < trouble.until) {
      return { status: 'backing-off', children, restartAt: trouble.until };
    }
    return { status: 'well', children };
  };
  const tell = (): void => {
    for (const listener of listeners) listener(state());
  };
  const judge = (report: ExitReport): Trouble => {
    const last = processEndedError(options.name, report, 'not-executed');
    if (policy.mode === 'never') return { kind: 'down', last };
    const verdict = budget.spend();
    return verdict.kind === 'restart'
      ? { kind: 'wait', until: clock.now() + verdict.delayMs }
      : { kind: 'loop', until: clock.now() + verdict.retryAfterMs, failures: verdict.failures, last };
  };
  const passTrouble = async (signal: AbortSignal): Promise<void> => {
    if (trouble.kind === 'down') throw trouble.last;
    if (trouble.kind === 'none') return;
    const wait = trouble.until - clock.now();
    if (wait <= 0) return;
    if (trouble.kind === 'loop') throw crashLoopError(options.name, trouble.last, wait);
    await sleep(clock, wait, signal);
  };

  const reset = (): void => {
    budget.reset();
    trouble = { kind: 'none' };
    tell();
  };
  /** Another command, or other values for it, is a repair: what happened before says nothing about it. */
  const noticeRepair = (spec: ProcessSpec): void => {
    if (lastSpec !== undefined && !isDeepStrictEqual(lastSpec, spec)) reset();
    lastSpec = spec;
  };

  return {
    name: options.name,
    async launch(spec, { signal = new AbortController().signal, secrets, grace, tail } = {}) {
      noticeRepair(spec);
      await passTrouble(signal);
      const { name, memoryLimitBytes } = options;
      const { process } = await ports.launch({ name, spec, memoryLimitBytes, secrets, grace, tail }, signal);
      children += 1;
      tell();
      void process.exited.then((report) => {
        children -= 1;
        if (isFailure(report)) trouble = judge(report);
        return tell();
      });
      if (!signal.aborted) return process;
      await process.stop();
      throw abortedError(signal, 'not-executed');
    },
    state,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    reset,
  };
};
