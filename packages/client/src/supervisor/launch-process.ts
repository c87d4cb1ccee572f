import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { settledWithin } from '@plugboard/base';
import { PlugboardError } from '@plugboard/contract';
import type { ChildJournal } from './child-journal.js';
import type { ExitReport, StopReason } from '../error/exit-report.js';
import { takeInput, wasInputUnread } from './input-unread.js';
import { takeOutput } from './taken-output.js';
import { LineFeed } from './line-feed.js';
import { redaction } from '../redact/redaction.js';
import { createOutputTail, defaultTailLimits } from './output-tail.js';
import { createParentDeathGuard, type ParentDeathGuard } from './parent-death-guard.js';
import { signalGroup } from './process-group.js';
import type { ProcessSpec } from './program/process-spec.js';
import { spawnError } from './program/spawn-error.js';
import { defaultStopGrace, endGroup, type StopGrace } from './stop-ladder.js';
import { createConfinement, type Confinement } from './sandbox/confinement.js';
import { constants } from 'node:os';

const SIGNALLED = 128;

/** The end of a program in a sandbox: what runs the sandbox tells a signal that ended the program as 128 and its number. */
const unwrappedStatus = (code: number | null, signal: NodeJS.Signals | null): Pick<ExitReport, 'code' | 'signal'> => {
  const named = Object.entries(constants.signals).find(([, number]) => code === SIGNALLED + number)?.[0];
  return named === undefined ? { code, signal } : { code: null, signal: named as NodeJS.Signals };
};

export interface LaunchOptions {
  readonly grace?: Partial<StopGrace> | undefined;
  /** Values that must not appear in the quoted stderr. */
  readonly secrets?: readonly string[] | undefined;
  /** `tail` drains stdout as well and quotes it with stderr, for programs that speak over a socket. */
  readonly stdout?: 'stream' | 'tail' | undefined;
  /** Ends the child when this process dies; without one the child gets a guard of its own. */
  readonly guard?: ParentDeathGuard | undefined;
  /** How programs that have a sandbox are put into it. */
  readonly confinement?: Confinement | undefined;
  readonly journal?: ChildJournal | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called when the start has to wait for a place; what it returns is called when the wait is over. */
  readonly onQueued?: (() => () => void) | undefined;
  /** Starts the program; that of Node when left out. */
  readonly spawn?: typeof spawn | undefined;
}

export type Launch = (spec: ProcessSpec, options: LaunchOptions) => Promise<LaunchedProcess>;

export interface LaunchedProcess {
  /** Also the id of its process group. */
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** The last lines of stderr, oldest first. */
  stderrTail(): readonly string[];
  /** Settles once, when the child and its group are gone; never rejects. */
  readonly exited: Promise<ExitReport>;
  /** Closes stdin, then SIGTERM, then SIGKILL to the whole group; the first reason given is the one reported. */
  stop(reason?: StopReason, detail?: string): Promise<void>;
}

/** How long the pipes may outlive the child: somebody who left the group may still hold them. */
const pipeGraceMs = 500;

interface Started {
  readonly child: ChildProcessWithoutNullStreams;
  readonly stdin: Writable;
}

const start = async (spec: ProcessSpec, guard: ParentDeathGuard, options: LaunchOptions): Promise<Started> => {
  const child = (options.spawn ?? spawn)(spec.command, [...spec.args], {
    cwd: spec.cwd,
    env: { ...spec.env },
    stdio: ['pipe', 'pipe', 'pipe'],
    shell: false,
    detached: true,
    windowsHide: true,
  });
  // In the same tick: a parent that dies now already leaves a guarded child.
  if (child.pid !== undefined) guard.protect(child.pid);
  const stdin = takeInput(child);
  const stdout = takeOutput(child);
  // A pipe that breaks is not news beside the exit of the child; the writer learns of it from its own callback.
  for (const pipe of [stdin, stdout, child.stderr]) pipe.on('error', () => undefined);
  try {
    await once(child, 'spawn');
  } catch (thrown) {
    stdin.destroy();
    throw thrown;
  }
  return { child, stdin };
};

const closePipes = async (child: ChildProcessWithoutNullStreams): Promise<void> => {
  const closed = (stream: Readable): Promise<unknown> => (stream.closed ? Promise.resolve() : once(stream, 'close'));
  await settledWithin(
    pipeGraceMs,
    closed(child.stderr).catch(() => undefined),
  );
  child.stderr.destroy();
  // The reader of stdout may still be at the last answer: it gets the same time, but nobody waits for it.
  void settledWithin(
    pipeGraceMs,
    closed(child.stdout).catch(() => undefined),
  ).then(() => child.stdout.destroy());
};

/** Starts a program as the leader of its own process group: no shell, stderr always drained, no way to outlive us. */
export const launchProcess = async (spec: ProcessSpec, options: LaunchOptions = {}): Promise<LaunchedProcess> => {
  if (options.signal?.aborted === true) throw new PlugboardError('CANCELLED', 'The start was cancelled.');
  const guard = options.guard ?? createParentDeathGuard();
  const letGo = (pid: number): void => {
    guard.release(pid);
    if (options.guard === undefined) guard.dispose();
  };
  const { journal, secrets = [] } = options;
  const launch = async (): Promise<Started> => {
    const { confinement = createConfinement() } = options;
    return start(spec.sandbox === undefined ? spec : await confinement.confine(spec), guard, options);
  };
  const { child, stdin } = await launch().catch(async (thrown: unknown) => {
    if (options.guard === undefined) guard.dispose();
    const error = thrown instanceof PlugboardError ? thrown : await spawnError(spec, thrown);
    journal?.failed(`${error.message} ${error.hint ?? ''}`.trim());
    throw error;
  });
  const pid = child.pid;
  if (pid === undefined) throw await spawnError(spec, new Error('The child has no process id.'));

  const tail = createOutputTail(defaultTailLimits, secrets);
  const redacted = redaction(secrets);
  journal?.started(pid);
  const feeds = (options.stdout === 'tail' ? [child.stderr, child.stdout] : [child.stderr]).map((pipe) => {
    const feed = journal && new LineFeed((line) => journal.line(pid, redacted(line)));
    pipe.on('data', (chunk: Buffer) => {
      tail.append(chunk);
      feed?.push(chunk);
    });
    return feed;
  });

  let asked: { readonly reason: StopReason; readonly detail: string | undefined } | undefined;
  let stopping: Promise<void> | undefined;
  const leaderGone = new Promise<Pick<ExitReport, 'code' | 'signal' | 'inputUnread'>>((resolve) => {
    child.once('exit', (code, signal) => {
      // Without their leader the rest of a group (npx → node) would serve nobody.
      if (stopping === undefined) signalGroup(pid, 'SIGKILL');
      const inputUnread = wasInputUnread(stdin);
      stdin.destroy();
      resolve({ ...(spec.sandbox === undefined ? { code, signal } : unwrappedStatus(code, signal)), inputUnread });
    });
  });
  const exited = leaderGone.then(async (status): Promise<ExitReport> => {
    const why = asked ?? { reason: status.signal === null ? ('exited' as const) : ('signalled' as const) };
    await stopping;
    letGo(pid);
    await closePipes(child);
    for (const feed of feeds) feed?.end();
    const report = { ...status, ...why, stderrTail: tail.lines() };
    journal?.ended(pid, report);
    return report;
  });
  const stop = (reason: StopReason = 'stopped', detail?: string): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return stopping ?? exited.then(() => undefined);
    asked ??= { reason, detail };
    stdin.end();
    stopping ??= endGroup(pid, leaderGone, { ...defaultStopGrace, ...options.grace });
    return stopping;
  };
  return { pid, stdin, stdout: child.stdout, stderrTail: () => tail.lines(), exited, stop };
};
