import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { readLines } from '../../transport/line-reader.js';
import { changeAnswer, GARBAGE, MESSAGE, requestIdOf } from '../board/change-answer.js';
import type { FaultBoard } from '../board/fault-board.js';
import type { FaultKind, ProxyFault } from '../board/proxy-fault.js';
import { slices } from '../tcp/pace.js';
import { RequestBook } from './request-book.js';

export interface ProgramOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string | undefined;
}

export interface ProgramEnd {
  readonly code: number | null;
  readonly signal: string | null;
  /** Why it never ran. */
  readonly error?: string;
}

/** A stdio server whose pipes pass through a fault board. */
export interface FaultyProgram {
  readonly pid: number | undefined;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly exited: Promise<ProgramEnd>;
  kill(signal: NodeJS.Signals): void;
}

const LINE: readonly FaultKind[] = ['garbage-line', 'split', 'stall', 'kill', 'stop', 'garbage', ...MESSAGE];

const NOISE = 'server: warming up (this is not JSON)\n';

class LineRelay {
  readonly #board: FaultBoard;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #kill: FaultyProgram['kill'];
  readonly #book = new RequestBook();
  readonly #out: PassThrough;
  #written: Promise<void> = Promise.resolve();

  constructor(
    board: FaultBoard,
    child: ChildProcessWithoutNullStreams,
    { out, kill }: { readonly out: PassThrough; readonly kill: FaultyProgram['kill'] },
  ) {
    this.#board = board;
    this.#child = child;
    this.#kill = kill;
    this.#out = out;
  }

  async fromClient(input: Readable): Promise<void> {
    for await (const line of readLines(input)) this.#request(line);
    this.#child.stdin.end();
  }

  async fromServer(): Promise<void> {
    for await (const line of readLines(this.#child.stdout)) this.#answer(line);
    await this.#written;
  }

  #request(line: string): void {
    const isRequest = requestIdOf(line) !== undefined;
    const fault = isRequest ? this.#board.take(line, 'request', LINE) : undefined;
    if (fault?.kind === 'kill') return this.#kill('SIGKILL');
    if (fault?.kind === 'stop') this.#stop(fault.ms);
    if (fault?.kind === 'stall') this.#queue(() => sleep(fault.ms));
    this.#book.sent(line);
    if (isRequest) this.#board.deliver(line);
    this.#child.stdin.write(`${line}\n`);
  }

  #stop(ms: number): void {
    this.#kill('SIGSTOP');
    setTimeout(() => this.#kill('SIGCONT'), ms);
  }

  #answer(line: string): void {
    const request = this.#book.answeredBy(line);
    const fault = request === undefined ? undefined : this.#board.take(request, 'response', LINE);
    if (fault === undefined) return this.#write(`${line}\n`);
    return this.#strike(line, fault);
  }

  #strike(line: string, fault: ProxyFault): void {
    switch (fault.kind) {
      case 'kill':
        return this.#kill('SIGKILL');
      case 'garbage':
        return this.#write(`${GARBAGE}\n`);
      case 'garbage-line':
        return this.#write(`${NOISE}${line}\n`);
      case 'split':
        for (const piece of slices(Buffer.from(`${line}\n`), fault.bytes)) {
          this.#queue(async () => {
            this.#out.write(piece);
            await sleep(fault.everyMs);
          });
        }
        return undefined;
      case 'stall':
        this.#queue(() => sleep(fault.ms));
        return this.#write(`${line}\n`);
      case 'stop':
        this.#stop(fault.ms);
        return this.#write(`${line}\n`);
      default: {
        const { texts, waitMs } = changeAnswer(line, fault);
        const write = (): void => texts.forEach((text) => this.#write(`${text}\n`));
        // The others need not wait for it.
        if (waitMs > 0) setTimeout(write, waitMs).unref();
        else write();
        return undefined;
      }
    }
  }

  #write(text: string): void {
    this.#queue(() => void this.#out.write(text));
  }

  #queue(work: () => Promise<void> | void): void {
    this.#written = this.#written.then(work);
  }
}

/** Starts a stdio server in a process group of its own, with the faults of its board on both pipes. */
export const faultyProgram = ({ command, args, env, cwd }: ProgramOptions, board: FaultBoard): FaultyProgram => {
  const grouped = process.platform !== 'win32';
  const child = spawn(command, [...args], {
    env: { ...env },
    stdio: 'pipe',
    detached: grouped,
    ...(cwd === undefined ? {} : { cwd }),
  });
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => undefined);
  const kill: FaultyProgram['kill'] = (signal) => {
    try {
      if (grouped && child.pid !== undefined) process.kill(-child.pid, signal);
      else child.kill(signal);
    } catch {
      // It has already ended.
    }
  };
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const relay = new LineRelay(board, child, { out: stdout, kill });
  void relay.fromClient(stdin).catch(() => child.stdin.end());
  const drained = relay.fromServer().catch(() => undefined);
  const exited = new Promise<ProgramEnd>((resolve) => {
    child.once('error', (error) => resolve({ code: null, signal: null, error: error.message }));
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  const endOutput = async (): Promise<void> => {
    const { error } = await exited;
    if (error === undefined) await drained;
    stdout.end();
  };
  void endOutput();
  return { pid: child.pid, stdin, stdout, stderr: child.stderr, exited, kill };
};
