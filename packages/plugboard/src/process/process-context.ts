import type { Readable, Writable } from 'node:stream';

/** A stream that people read when it is a terminal. */
export interface OutputStream {
  write(text: string | Uint8Array): void;
  readonly isTTY: boolean;
  /** Columns of the terminal; undefined when there is none. */
  readonly columns: number | undefined;
}

export interface InputStream {
  readonly isTTY: boolean;
  /** A pipe or a file, from which somebody may have sent something. */
  readonly isRedirected: boolean;
  readonly stream: Readable;
}

/** Everything a command may know of the process it runs in; the only way to reach it. */
export interface ProcessContext {
  /** What the user typed after the program's name. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly userHome: string;
  readonly platform: NodeJS.Platform;
  readonly nodeVersion: string;
  /** The Node program that runs us. */
  readonly execPath: string;
  readonly pid: number;
  /** Does a process with this id exist? */
  readonly isAlive: (pid: number) => boolean;
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** For those who must know whether what they write is read. */
  readonly rawStdout: Writable;
  /** For a logger, which wants the stream itself. */
  readonly rawStderr: Writable;
  /** Shows a URL in the user's browser; false where there is none. */
  readonly openUrl?: ((url: string) => boolean) | undefined;
  /** Called at SIGHUP, where there is one; the result stops that. */
  readonly onHangup?: ((listener: () => void) => () => void) | undefined;
  /** Aborted by Ctrl-C and by SIGTERM. */
  readonly signal: AbortSignal;
}
