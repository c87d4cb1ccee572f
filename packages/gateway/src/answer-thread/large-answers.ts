import { Worker } from 'node:worker_threads';
import { type LargeAnswer, McpProtocolError } from '@plugboard/client';
import type { Classified } from '@plugboard/wire';
import { RawJson } from '../rpc/raw-json.js';
import type { FromLargeAnswers, ToLargeAnswers } from './messages.js';
import { Pieces, PieceStock } from './pieces.js';
import type { Settled, SettleOptions } from './settle-answer.js';

export interface LargeAnswersOptions {
  /** What a result may have. */
  readonly maxResultBytes: number;
  /** The thread ended, or cannot be started. */
  readonly onFailure: (error: Error) => void;
}

// The compiled entry, seen alike from src, from dist, and from where the CLI is bundled.
const ENTRY = new URL('../../dist/answer-thread/large-answer-entry.js', import.meta.url);
const MAX_HEAP_MB = 512;
/** One answer takes less than a second. */
const STUCK_MS = 30_000;
/** A thread that nobody needs gives its memory back. */
const IDLE_MS = 30_000;

interface Job {
  readonly id: number;
  readonly server: string;
  readonly options: SettleOptions;
  readonly resolve: (messages: readonly Classified[]) => void;
  readonly reject: (error: Error) => void;
}

const unread = (cause: unknown): McpProtocolError =>
  new McpProtocolError('OVERLOADED', 'The hub could not read this answer: it is too large.', {
    hint: 'Request less data, or a part of it.',
    delivery: 'answered',
    details: { refused_by: 'plugboard' },
    cause,
  });

const messagesOf = (settled: Settled, { id }: SettleOptions): readonly Classified[] => {
  if (settled.kind === 'messages') return settled.messages;
  const { buffer, byteOffset } = settled.bytes;
  const members = settled.members.map((member) => [
    member.name,
    'value' in member
      ? member.value
      : new RawJson(Buffer.from(buffer, byteOffset + member.start, member.end - member.start)),
  ]);
  return [{ kind: 'result', message: { jsonrpc: '2.0', id, result: Object.fromEntries(members) as unknown } }];
};

/**
 * Reads large answers of servers in a thread of its own: there they are parsed, repaired and cut, and what is left comes
 * back as bytes. Servers take turns, so that nobody waits for more than one answer of another.
 */
export class LargeAnswers {
  readonly #options: LargeAnswersOptions;
  #worker: Worker | undefined;
  #isUsable = true;
  #lastId = 0;
  #open = 0;
  #current: Job | undefined;
  /** Whose answer was read last. */
  #served = '';
  #timer: NodeJS.Timeout | undefined;
  readonly #stock = new PieceStock();
  readonly #waiting = new Map<string, Job[]>();

  constructor(options: LargeAnswersOptions) {
    this.#options = options;
  }

  /** Undefined where there is no thread for it. */
  open(server: string, call: Omit<SettleOptions, 'maxBytes'>): LargeAnswer | undefined {
    if (!this.#isUsable) return undefined;
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const options = { ...call, maxBytes: this.#options.maxResultBytes };
    this.#lastId += 1;
    this.#open += 1;
    const id = this.#lastId;
    let isOver = false;
    const pieces = new Pieces(this.#stock, ({ piece, bytes }) => {
      const message: ToLargeAnswers = { job: id, piece, bytes };
      if (!isOver) worker.postMessage(message, [piece.buffer as ArrayBuffer]);
    });
    return {
      push: (chunk) => pieces.push(chunk),
      finish: () => {
        pieces.flush();
        if (worker !== this.#worker) return Promise.reject(unread('the thread ended'));
        return new Promise((resolve, reject) => this.#enqueue({ id, server, options, resolve, reject }));
      },
      [Symbol.dispose]: () => {
        if (isOver) return;
        isOver = true;
        this.#open -= 1;
        this.#forget(id, server);
        if (worker === this.#worker) worker.postMessage({ job: id } satisfies ToLargeAnswers, []);
      },
    };
  }

  close(): void {
    this.#isUsable = false;
    this.#end(unread('the hub stops'));
  }

  #start(): Worker {
    const worker = new Worker(ENTRY, {
      name: 'large answers',
      env: {},
      argv: [],
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    worker.unref();
    let isOnline = false;
    worker.once('online', () => {
      isOnline = true;
    });
    worker.on('message', (message: FromLargeAnswers) => this.#take(message));
    worker.on('error', (error: Error) => {
      // Without a thread they are read as any other.
      if (!isOnline) this.#isUsable = false;
      this.#options.onFailure(error);
      if (worker === this.#worker) this.#end(unread(error));
    });
    return worker;
  }

  #enqueue(job: Job): void {
    const mine = this.#waiting.get(job.server);
    if (mine === undefined) this.#waiting.set(job.server, [job]);
    else mine.push(job);
    this.#next();
  }

  #next(): void {
    clearTimeout(this.#timer);
    if (this.#current !== undefined) return;
    const turns = [...this.#waiting];
    const turn = turns.find(([name]) => name !== this.#served) ?? turns[0];
    if (turn === undefined) {
      this.#timer = setTimeout(() => this.#endIdle(), IDLE_MS).unref();
      return;
    }
    const [server, mine] = turn;
    const job = mine.shift();
    this.#waiting.delete(server);
    if (mine.length > 0) this.#waiting.set(server, mine);
    if (job === undefined) return;
    this.#current = job;
    this.#served = server;
    this.#timer = setTimeout(() => this.#end(unread('it took too long')), STUCK_MS).unref();
    this.#worker?.postMessage({ job: job.id, options: job.options } satisfies ToLargeAnswers, []);
  }

  #take(message: FromLargeAnswers): void {
    if ('used' in message) {
      this.#stock.put(message.used);
      return;
    }
    const job = this.#current;
    if (job?.id !== message.job) return;
    this.#current = undefined;
    if ('settled' in message) job.resolve(messagesOf(message.settled, job.options));
    else job.reject(unread(message.failure));
    this.#next();
  }

  /** Nobody waits for it any more; what is being worked on is worked on to its end. */
  #forget(id: number, server: string): void {
    const others = this.#waiting.get(server)?.filter((job) => job.id !== id);
    if (others === undefined) return;
    if (others.length === 0) this.#waiting.delete(server);
    else this.#waiting.set(server, others);
  }

  #endIdle(): void {
    if (this.#open === 0) this.#end(unread('the thread ended'));
  }

  #end(reason: Error): void {
    clearTimeout(this.#timer);
    const jobs = [this.#current, ...[...this.#waiting.values()].flat()];
    this.#current = undefined;
    this.#waiting.clear();
    this.#stock.clear();
    const worker = this.#worker;
    this.#worker = undefined;
    void worker?.terminate();
    for (const job of jobs) job?.reject(reason);
  }
}
