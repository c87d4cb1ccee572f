import type { Readable, Writable } from 'node:stream';

/** The part of a process that a fake needs; `process` is one. */
export interface ProcessLike {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly pid: number;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  exit(code: number): void;
  kill(pid: number, signal: NodeJS.Signals): void;
  on(signal: NodeJS.Signals, listener: () => void): unknown;
}
