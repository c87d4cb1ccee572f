import { PassThrough, type Readable, type Writable } from 'node:stream';
import type { Eras } from '../definition/era.js';
import type { FakeServer } from '../server/fake-server.js';
import { readLines } from '../transport/line-reader.js';
import { MessageFilter, parseObject } from './mutation/filter.js';
import type { Mutation } from './mutation/mutation.js';

const CRASHED = 70;

/** What a spawned stdio server looks like to its client. */
export interface InProcessChild {
  readonly pid: undefined;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly exited: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  kill(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): void;
}

/** A stdio server without a process: it ends with its input, or by a signal. */
export const inProcessChild = (server: FakeServer, mutation: Mutation, eras: Eras): InProcessChild => {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const defect = (typeof mutation.process === 'function' ? mutation.process() : mutation.process) ?? {};
  const link = server.connectStdio();
  const filter = new MessageFilter({ mutation, transport: 'stdio', eras });
  let exit: (status: { code: number | null; signal: string | null }) => void = () => undefined;
  const exited = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    exit = resolve;
  });
  const finish = (code: number | null, signal: string | null): void => {
    link.cut();
    stdout.end();
    stderr.end();
    exit({ code, signal });
  };
  const write = (text: string): void => {
    const line = defect.line?.(text, parseObject(text)) ?? `${text}\n`;
    if (!stdout.writableEnded && line.length > 0) stdout.write(line);
  };
  const bytes = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of stdin) {
      const piece = chunk as Uint8Array;
      const changed = defect.input === undefined ? piece : defect.input(piece);
      if (changed !== undefined) yield changed;
    }
  };
  const live = async (): Promise<void> => {
    await serve().catch(() => undefined);
    if (defect.ignoreEnd === true) return;
    await spoken;
    finish(defect.exitCode ?? 0, null);
  };
  const serve = async (): Promise<void> => {
    const input = PassThrough.from(bytes());
    for await (const line of readLines(input)) {
      if (filter.dies(line)) return finish(CRASHED, null);
      const { forward, answer } = filter.toServer(line);
      if (answer !== undefined) write(answer);
      if (forward !== undefined && link.stdin.writable) link.stdin.write(`${forward}\n`);
    }
    if (defect.ignoreEnd === true) return;
    await link.close();
  };
  const speak = async (): Promise<void> => {
    for await (const line of readLines(link.stdout)) for (const text of filter.toClient(line)) write(text);
  };
  if (defect.banner !== undefined) stdout.write(defect.banner);
  if (defect.stderr !== undefined) stderr.write(defect.stderr);
  const spoken = speak().catch(() => undefined);
  void live();
  return {
    pid: undefined,
    stdin,
    stdout,
    stderr,
    exited,
    kill: (signal) => {
      if (signal === 'SIGKILL' || defect.ignoreTerm !== true) finish(null, signal);
    },
  };
};
