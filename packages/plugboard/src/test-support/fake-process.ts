import { PassThrough, Readable } from 'node:stream';
import type { OutputStream, ProcessContext } from '../process/process-context.js';

export interface FakeProcessOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly userHome?: string;
  /** What is piped in; a terminal when left out. */
  readonly stdin?: string | Readable;
  /** What somebody types at the terminal. */
  readonly typed?: Readable;
  /** Where the questions to who types are written. */
  readonly asked?: PassThrough;
  /** Columns of the terminal; no terminal when left out. */
  readonly columns?: number;
  readonly signal?: AbortSignal;
  readonly platform?: NodeJS.Platform;
}

export interface FakeProcess extends ProcessContext {
  /** What was written so far. */
  readonly written: { stdout: string; stderr: string };
}

/** A process in memory: what a command writes is kept, what it may read is given. */
export const fakeProcess = (argv: readonly string[], options: FakeProcessOptions = {}): FakeProcess => {
  const written = { stdout: '', stderr: '' };
  const stream = (name: 'stdout' | 'stderr'): OutputStream => ({
    write: (text) => {
      written[name] += typeof text === 'string' ? text : Buffer.from(text).toString('latin1');
    },
    isTTY: options.columns !== undefined,
    columns: options.columns,
  });
  const { stdin } = options;
  return {
    argv,
    env: options.env ?? {},
    cwd: options.cwd ?? '/somewhere',
    userHome: options.userHome ?? '/nobody',
    platform: options.platform ?? 'linux',
    nodeVersion: '20.19.0',
    execPath: '/usr/bin/node',
    pid: 4711,
    isAlive: () => false,
    stdin: {
      isTTY: stdin === undefined,
      isRedirected: stdin !== undefined,
      stream:
        options.typed ??
        (stdin instanceof Readable ? stdin : Readable.from(stdin === undefined ? [] : [Buffer.from(stdin)])),
    },
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    rawStdout: new PassThrough().on('data', (chunk: Buffer) => (written.stdout += chunk.toString())),
    rawStderr: options.asked ?? new PassThrough(),
    signal: options.signal ?? new AbortController().signal,
    written,
  };
};
