import { waitWithSignal } from '../deadline/wait-with-signal.js';
import { throwIfAborted } from '../error/aborted-error.js';
import type { McpClientError } from '../error/client-error.js';
import { McpProcessError } from '../error/error-family.js';
import { processEndedError } from '../error/process-error.js';
import { toClientError } from '../error/to-client-error.js';
import { sleep, type Clock, type Random } from '../deadline/clock.js';
import type { ChildLauncher, ChildOrder, RunningChild } from './child-launcher.js';
import type { ChildSlots } from './child-slots.js';
import { crashLoopError } from './crash-loop-error.js';
import type { ExitReport, StopReason } from '../error/exit-report.js';
import { watchLiveness } from './liveness.js';
import type { ProcessSpec } from './program/process-spec.js';
import type { ProcessState } from './process-state.js';
import { createRestartBudget, defaultRestartPolicy, type RestartBudget, type RestartPolicy } from './restart-budget.js';
import { awaitReady } from './start-up.js';

export interface ProbeOptions<C> {
  readonly run: (connection: C, signal: AbortSignal) => Promise<unknown>;
  readonly everyMs: number;
  readonly timeoutMs: number;
  readonly maxFailures: number;
}

export interface SupervisedOptions<C> extends Omit<ChildOrder, 'spec'> {
  /** Asked at each start, so that secrets are resolved late. */
  readonly spec: () => ProcessSpec | Promise<ProcessSpec>;
  /** The handshake; what it returns is what users of the server get. */
  readonly connect: (child: RunningChild, signal: AbortSignal) => Promise<C>;
  readonly disconnect?: ((connection: C) => Promise<unknown>) | undefined;
  readonly probe?: ProbeOptions<C> | undefined;
  readonly startupMs?: number | undefined;
  /** Stopped after so long without a user; never when left out. */
  readonly idleMs?: number | undefined;
  readonly restart?: Partial<RestartPolicy> | undefined;
}

export interface SupervisedPorts {
  readonly launch: ChildLauncher;
  readonly slots: ChildSlots;
  readonly clock: Clock;
  readonly random: Random;
}

/** The right to use a server; while it is held, the server is not idle. */
export interface ProcessLease<C> extends Disposable {
  readonly connection: C;
  readonly child: RunningChild;
}

interface Running<C> {
  readonly child: RunningChild;
  readonly connection: C;
  readonly endWatch: () => void;
}

const defaultStartupMs = 30_000;

/** One server that is kept running while it is used: started on demand, restarted when it fails, stopped when idle. */
export class SupervisedProcess<C> implements AsyncDisposable {
  readonly #options: SupervisedOptions<C>;
  readonly #ports: SupervisedPorts;
  readonly #policy: RestartPolicy;
  readonly #budget: RestartBudget;
  readonly #listeners = new Set<(state: ProcessState) => void>();
  #state: ProcessState = { status: 'stopped' };
  #running: Running<C> | undefined;
  #starting: Promise<Running<C>> | undefined;
  #stopping: Promise<void> | undefined;
  /** Aborted by a stop: it ends whatever start is in progress. */
  #era = new AbortController();
  #attempts = 0;
  #leases = 0;
  #endIdle: () => void = () => undefined;

  constructor(options: SupervisedOptions<C>, ports: SupervisedPorts) {
    this.#options = options;
    this.#ports = ports;
    this.#policy = { ...defaultRestartPolicy, ...options.restart };
    this.#budget = createRestartBudget({ policy: this.#policy, clock: ports.clock, random: ports.random });
  }

  get name(): string {
    return this.#options.name;
  }

  state(): ProcessState {
    return this.#state;
  }

  /** Called with every new state; the result unsubscribes. */
  onChange(listener: (state: ProcessState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The running server. Starts it when it is down, once for all callers. */
  async acquire(signal: AbortSignal): Promise<ProcessLease<C>> {
    for (;;) {
      throwIfAborted(signal, 'not-executed');
      const running = await waitWithSignal(this.#ready(), signal, 'not-executed');
      // It may have fallen between its start and this moment.
      if (this.#running === running) return this.#lease(running);
    }
  }

  async use<T>(signal: AbortSignal, work: (connection: C, child: RunningChild) => Promise<T>): Promise<T> {
    const lease = await this.acquire(signal);
    try {
      return await work(lease.connection, lease.child);
    } finally {
      lease[Symbol.dispose]();
    }
  }

  /** Ends the child; the next use starts a new one. */
  stop(reason: StopReason = 'stopped'): Promise<void> {
    if (this.#state.status === 'disposed') return Promise.resolve();
    this.#stopping ??= this.#end(reason).finally(() => {
      this.#stopping = undefined;
    });
    return this.#stopping;
  }

  /** Forgets earlier failures: the next use starts it, also when the policy would leave it down. */
  async reset(): Promise<void> {
    const { status } = this.#state;
    if (status === 'crash-loop' || status === 'backing-off' || status === 'stopped') await this.#putDown();
    else this.#budget.reset();
  }

  /** Forgets earlier failures and starts the server, also when the policy would leave it down. */
  async restart(signal: AbortSignal): Promise<void> {
    await this.#putDown();
    (await this.acquire(signal))[Symbol.dispose]();
  }

  async #putDown(): Promise<void> {
    await this.stop();
    this.#budget.reset();
    if (this.#state.status === 'stopped') this.#enter({ status: 'stopped' });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    this.#enter({ status: 'disposed' });
    this.#listeners.clear();
  }

  #enter(state: ProcessState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener(state);
  }

  async #ready(): Promise<Running<C>> {
    if (this.#stopping !== undefined) await this.#stopping;
    if (this.#running !== undefined) return this.#running;
    if (this.#starting !== undefined) return this.#starting;
    const state = this.#state;
    if (state.status === 'disposed') throw this.#gone('is no longer supervised');
    if (state.status === 'stopped' && state.lastError !== undefined && this.#policy.mode === 'never') {
      throw state.lastError;
    }
    if (state.status === 'crash-loop') {
      const wait = state.retryAt - this.#ports.clock.now();
      if (wait > 0) throw crashLoopError(this.name, state.lastError, wait);
    }
    return this.#start(0);
  }

  #start(delayMs: number): Promise<Running<C>> {
    const work = this.#startAfter(delayMs, this.#era.signal).finally(() => {
      if (this.#starting === work) this.#starting = undefined;
    });
    // A restart that nobody waits for may fail in silence: its state tells.
    work.catch(() => undefined);
    this.#starting = work;
    return work;
  }

  async #startAfter(delayMs: number, era: AbortSignal): Promise<Running<C>> {
    const { clock, launch } = this.#ports;
    if (delayMs > 0) await sleep(clock, delayMs, era);
    this.#attempts += 1;
    this.#enter({ status: 'starting', attempt: this.#attempts });
    const child = await this.#launch(launch, era);
    const { name, connect, startupMs: deadlineMs = defaultStartupMs } = this.#options;
    try {
      const connection = await awaitReady({ name, child, connect, deadlineMs, clock, signal: era });
      return this.#adopt({ child, connection, endWatch: this.#watch(child, connection) });
    } catch (thrown) {
      await child.process.stop('not-ready');
      throw era.aborted ? toClientError(thrown) : this.#failed(toClientError(thrown));
    }
  }

  async #launch(launch: ChildLauncher, era: AbortSignal): Promise<RunningChild> {
    try {
      return await launch({ ...this.#options, spec: await this.#options.spec() }, era);
    } catch (thrown) {
      const error = toClientError(thrown);
      // A command that does not exist will not exist a moment later either.
      if (!era.aborted) this.#enter({ status: 'stopped', lastError: error });
      throw error;
    }
  }

  #adopt(running: Running<C>): Running<C> {
    this.#running = running;
    const { process, port } = running.child;
    this.#enter({ status: 'ready', pid: process.pid, port, since: this.#ports.clock.now() });
    if (this.#leases === 0) this.#armIdle();
    void process.exited.then((report) => this.#fell(running, report));
    return running;
  }

  #watch(child: RunningChild, connection: C): () => void {
    const { probe } = this.#options;
    if (probe === undefined) return () => undefined;
    return watchLiveness({
      ...probe,
      probe: (signal) => probe.run(connection, signal),
      clock: this.#ports.clock,
      onUnresponsive: () => void child.process.stop('unresponsive'),
    });
  }

  #release(running: Running<C>): Promise<unknown> {
    this.#running = undefined;
    this.#endIdle();
    running.endWatch();
    return this.#options.disconnect?.(running.connection).catch(() => undefined) ?? Promise.resolve();
  }

  /** The child ended without being asked to by a stop of ours. */
  #fell(running: Running<C>, report: ExitReport): void {
    if (this.#running !== running) return;
    void this.#release(running);
    const clean = report.reason === 'exited' && report.code === 0;
    if (clean && this.#policy.mode === 'on-failure') this.#enter({ status: 'stopped', lastExit: report });
    else this.#failed(processEndedError(this.name, report, 'not-executed'), report);
  }

  #failed(error: McpClientError, lastExit?: ExitReport): McpClientError {
    if (this.#policy.mode === 'never') {
      this.#enter({ status: 'stopped', lastError: error, lastExit });
      return error;
    }
    const now = this.#ports.clock.now();
    const verdict = this.#budget.spend();
    switch (verdict.kind) {
      case 'restart':
        this.#enter({ status: 'backing-off', restartAt: now + verdict.delayMs, lastError: error });
        void this.#start(verdict.delayMs);
        return error;
      case 'crash-loop': {
        const { retryAfterMs, failures } = verdict;
        this.#enter({ status: 'crash-loop', retryAt: now + retryAfterMs, failures, lastError: error });
        return crashLoopError(this.name, error, retryAfterMs);
      }
    }
    return verdict satisfies never;
  }

  async #end(reason: StopReason): Promise<void> {
    const running = this.#running;
    const starting = this.#starting;
    this.#era.abort(this.#gone('was stopped'));
    this.#era = new AbortController();
    let lastExit: ExitReport | undefined;
    if (running !== undefined) {
      this.#enter({ status: 'stopping', pid: running.child.process.pid });
      await this.#release(running);
      await running.child.process.stop(reason);
      lastExit = await running.child.process.exited;
    }
    await starting?.catch(() => undefined);
    this.#enter({ status: 'stopped', lastExit });
  }

  #lease(running: Running<C>): ProcessLease<C> {
    this.#leases += 1;
    this.#endIdle();
    let held = true;
    return {
      connection: running.connection,
      child: running.child,
      [Symbol.dispose]: () => {
        if (!held) return;
        held = false;
        this.#leases -= 1;
        if (this.#leases === 0 && this.#running !== undefined) this.#armIdle();
      },
    };
  }

  /** From now on it may be stopped: after its idle time, or at once in favour of another. */
  #armIdle(): void {
    this.#endIdle();
    const { idleMs } = this.#options;
    const takeBack = idleMs === undefined ? undefined : this.#ports.clock.after(idleMs, () => void this.stop('idle'));
    const withdraw = this.#ports.slots.offer(() => this.stop('idle'));
    this.#endIdle = () => {
      takeBack?.();
      withdraw();
    };
  }

  #gone(what: string): McpProcessError {
    return new McpProcessError('PROCESS_EXITED', `The process of "${this.name}" ${what}.`);
  }
}
