import type { Readable, Writable } from 'node:stream';

/** The process a server runs in, injected so that tests need none. */
export interface ProgramProcess {
  /** What stands after the name of the program. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Aborted when the process is asked to end. */
  readonly signal: AbortSignal;
}
