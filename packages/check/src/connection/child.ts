import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

export interface ExitStatus {
  readonly code: number | null;
  readonly signal: string | null;
  /** Why it never ran. */
  readonly error?: string;
}

/** A running stdio server, as far as the referee touches it. */
export interface Child {
  readonly pid: number | undefined;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable | undefined;
  readonly exited: Promise<ExitStatus>;
  kill(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): void;
}

export interface LaunchOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string | undefined;
}

export type Launch = (options: LaunchOptions) => Child;

/** Starts a program in a process group of its own, so that its children end with it. */
export const launchProgram: Launch = ({ command, args, env, cwd }) => {
  const grouped = process.platform !== 'win32';
  const child = spawn(command, [...args], {
    env: { ...env },
    stdio: 'pipe',
    detached: grouped,
    ...(cwd === undefined ? {} : { cwd }),
  });
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => undefined);
  const exited = new Promise<ExitStatus>((resolve) => {
    child.once('error', (error) => resolve({ code: null, signal: null, error: error.message }));
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  const kill: Child['kill'] = (signal) => {
    try {
      if (grouped && child.pid !== undefined) process.kill(-child.pid, signal);
      else child.kill(signal);
    } catch {
      // It has already gone.
    }
  };
  return { pid: child.pid, stdin: child.stdin, stdout: child.stdout, stderr: child.stderr, exited, kill };
};
