import type { Readable, Writable } from 'node:stream';

/** A stream that people read, when `isTTY`. */
export interface OutputStream {
  write(text: string): void;
  readonly isTTY: boolean;
  /** Columns of the terminal; undefined when there is none. */
  readonly columns: number | undefined;
}

/** Everything a command may know of the process it runs in; the only way to reach it. */
export interface ProcessContext {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly userHome: string;
  readonly platform: NodeJS.Platform;
  readonly nodeVersion: string;
  readonly pid: number;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** The raw streams, for what must be handed on to a logger. */
  readonly rawStderr: Writable;
  /** Aborted by Ctrl-C and by SIGTERM. */
  readonly signal: AbortSignal;
  setExitCode(code: number): void;
}
