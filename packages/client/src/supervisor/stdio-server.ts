import { isDeepStrictEqual } from 'node:util';
import { abortedError } from '../error/aborted-error.js';
import type { Clock, Random } from '../deadline/clock.js';
import type { ChildLauncher } from './child-launcher.js';
import type { ExitReport } from '../error/exit-report.js';
import type { LaunchedProcess, LaunchOptions } from './launch-process.js';
import type { ProcessSpec } from './program/process-spec.js';
import { defaultRestartPolicy, type RestartPolicy } from './restart-budget.js';
import { TroubleRecord } from './trouble-record.js';

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

/** Starts children for one client of a server. Fits `launch` of a client. */
export type ClientLaunch = (spec: ProcessSpec, options?: LaunchOptions) => Promise<LaunchedProcess>;

/**
 * A server that each connection runs a child of its own of. Each client has a restart budget, and all of them together
 * a larger one: a client that keeps crashing its own child does not block the others.
 */
export interface StdioServer {
  readonly name: string;
  /** Starts a child without a budget of its own. After failures it backs off; in a crash loop it throws. */
  readonly launch: ClientLaunch;
  /** The same with a budget for one client. */
  forClient(): ClientLaunch;
  state(): StdioServerState;
  onChange(listener: (state: StdioServerState) => void): () => void;
  /** Forgets earlier failures, when somebody repaired the server by hand. */
  reset(): void;
}

/** How many times the restarts of one client all clients of a server have together. */
const SHARED_BUDGET = 4;

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
  const { clock, random } = ports;
  const policy = { ...defaultRestartPolicy, ...options.restart };
  const listeners = new Set<(state: StdioServerState) => void>();
  const newRecord = (maxRestarts: number): TroubleRecord =>
    new TroubleRecord({ name: options.name, policy: { ...policy, maxRestarts }, clock, random });
  const ofAll = newRecord(policy.maxRestarts * SHARED_BUDGET);
  const ofNobody = newRecord(policy.maxRestarts);
  /** Counts repairs: what a client remembers from before one is void. */
  let repairs = 0;
  let lastSpec: ProcessSpec | undefined;
  let children = 0;

  const state = (): StdioServerState => {
    const now = clock.now();
    const lasting = [ofAll, ofNobody].map(({ trouble }) => trouble);
    const loop = lasting.find((trouble) => trouble.kind === 'loop' && now < trouble.until);
    if (loop?.kind === 'loop') return { status: 'crash-loop', children, retryAt: loop.until, failures: loop.failures };
    const wait = lasting.find((trouble) => trouble.kind === 'wait' && now < trouble.until);
    return wait?.kind === 'wait'
      ? { status: 'backing-off', children, restartAt: wait.until }
      : { status: 'well', children };
  };
  const tell = (): void => {
    for (const listener of listeners) listener(state());
  };
  const reset = (): void => {
    repairs += 1;
    ofAll.clear();
    ofNobody.clear();
    tell();
  };
  /** Another command, or other values for it, is a repair: what happened before says nothing about it. */
  const noticeRepair = (spec: ProcessSpec): void => {
    if (lastSpec !== undefined && !isDeepStrictEqual(lastSpec, spec)) reset();
    lastSpec = spec;
  };
  const launchFor =
    (own: TroubleRecord): ClientLaunch =>
    async (spec, { signal = new AbortController().signal, secrets, grace, journal, onQueued } = {}) => {
      noticeRepair(spec);
      await own.pass(signal);
      ofAll.passLoop();
      const { name, memoryLimitBytes } = options;
      const { process } = await ports.launch(
        { name, spec, memoryLimitBytes, secrets, grace, journal, onQueued },
        signal,
      );
      const startedAfter = repairs;
      children += 1;
      tell();
      void process.exited.then((report) => {
        children -= 1;
        if (isFailure(report) && startedAfter === repairs) {
          own.note(report);
          ofAll.note(report);
        }
        return tell();
      });
      if (!signal.aborted) return process;
      await process.stop();
      throw abortedError(signal, 'not-executed');
    };

  return {
    name: options.name,
    launch: launchFor(ofNobody),
    forClient: () => {
      const own = newRecord(policy.maxRestarts);
      let known = repairs;
      const launch = launchFor(own);
      return (spec, launchOptions) => {
        if (known !== repairs) own.clear();
        known = repairs;
        return launch(spec, launchOptions);
      };
    },
    state,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    reset,
  };
};
