import type { ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';

export interface SpawnedChild extends ChildProcessWithoutNullStreams {
  /** What was started, and how. */
  readonly started: { readonly command: string; readonly args: readonly string[]; readonly options: object };
  readonly stdout: PassThrough;
  readonly stderr: PassThrough;
  /** What was written to its stdin. */
  readonly input: () => string;
  /** Ends it, as the system would report it. */
  end(code: number | null, signal?: NodeJS.Signals | null): void;
}

export interface FakeSpawn {
  readonly spawn: typeof spawn;
  readonly children: SpawnedChild[];
}

/** Starts children that exist in memory only, at the place where the system would start them. */
export const createFakeSpawn = (failure?: () => NodeJS.ErrnoException | undefined): FakeSpawn => {
  const children: SpawnedChild[] = [];
  const start = (command: string, args: readonly string[], options: object): SpawnedChild => {
    const error = failure?.();
    const stdin = new PassThrough();
    let text = '';
    stdin.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const emitter = new EventEmitter();
    const child = Object.assign(emitter, {
      pid: error === undefined ? 4_000_000 + children.length : undefined,
      stdin,
      stdout: new PassThrough(),
      stderr: new PassThrough(),
      exitCode: null as number | null,
      signalCode: null as NodeJS.Signals | null,
      unref: () => undefined,
      started: { command, args, options },
      input: () => text,
      end(code: number | null, signal: NodeJS.Signals | null = null) {
        child.exitCode = code;
        child.signalCode = signal;
        child.stdout.end();
        child.stderr.end();
        emitter.emit('exit', code, signal);
      },
    });
    setImmediate(() => emitter.emit(error === undefined ? 'spawn' : 'error', error));
    children.push(child as unknown as SpawnedChild);
    return child as unknown as SpawnedChild;
  };
  return { spawn: start as unknown as typeof spawn, children };
};
