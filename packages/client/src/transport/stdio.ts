import { deferred, LineSplitter } from '@plugboard/base';
import {
  type Classified,
  encodeLine,
  type JsonRpcFailure,
  type JsonRpcMessage,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type JsonRpcResponse,
  type JsonRpcResult,
  type RequestId,
} from '@plugboard/wire';
import { waitWithSignal } from '../deadline/wait-with-signal.js';
import { abortedError, throwIfAborted } from '../error/aborted-error.js';
import type { McpClientError } from '../error/client-error.js';
import { processEndedError } from '../error/process-error.js';
import { toClientError } from '../error/to-client-error.js';
import type { WaitingLines } from './claimed-request.js';
import type { ExitReport } from '../error/exit-report.js';
import { ANSWER_PLACES, FAST_ANSWER_BYTES, PLACED_BYTES } from '../read-buffer/answer-place.js';
import { keptBytes, LARGE_READ_BYTES } from '../read-buffer/kept-bytes.js';
import { READ_TURNS } from '../read-buffer/read-turns.js';
import type { LaunchedProcess } from '../supervisor/launch-process.js';
import { takeOutputReads } from '../supervisor/taken-output.js';
import { largeAnswerId } from './large-line.js';
import { messagesFrom } from './incoming-messages.js';
import { LineBatch } from './line-batch.js';
import { ChannelPace } from './channel-pace.js';
import { PendingAnswers } from './pending-answers.js';
import { takeMessage } from './take-message.js';
import type { Exchange, LineWriter, PipeTarget, Transport, TransportEvents } from './transport.js';

export interface StdioOptions {
  readonly name: string;
  readonly launch: (signal: AbortSignal) => Promise<LaunchedProcess>;
  readonly events: TransportEvents;
  readonly maxLineBytes?: number | undefined;
}

/** How long a child that closed its output may take to exit before it is called gone without a report. */
const EXIT_GRACE_MS = 1_000;

/** Large lines are read a part in each turn of the event loop. */
const nextTurnAfter = ({ length }: Uint8Array): Promise<void> | undefined =>
  length >= LARGE_READ_BYTES && READ_TURNS.spend(length)
    ? new Promise((resolve) => READ_TURNS.wait(resolve))
    : undefined;

/** One child process, one message per line. */
export class StdioTransport implements Transport {
  readonly kind = 'stdio';
  readonly sessionId = undefined;
  readonly #options: StdioOptions;
  readonly #pending = new PendingAnswers();
  readonly #pace: ChannelPace;
  #child: LaunchedProcess | undefined;
  #input: LineBatch | undefined;
  #lost: McpClientError | undefined;
  #closing = false;
  #sent: WaitingLines | undefined;
  /** Large answers that are being read. */
  readonly #reading = new Set<Promise<void>>();
  readonly #ended = deferred<undefined>();

  constructor(options: StdioOptions) {
    this.#options = options;
    this.#pace = new ChannelPace(this.#pending, () => options.events.pace);
  }

  async open(signal: AbortSignal): Promise<void> {
    throwIfAborted(signal, 'not-executed');
    const child = await this.#options.launch(signal).catch((thrown: unknown) => {
      throw toClientError(thrown).with({ delivery: 'not-executed' });
    });
    this.#child = child;
    this.#input = new LineBatch(child.stdin);
    const splitter = new LineSplitter({
      takeBytes: (line) => this.#sent?.takeLine(line) === true || this.#takeLarge(line),
      placeFor: (bytes, instead) => this.#placeFor(bytes, instead),
      keep: keptBytes,
      onLine: (line) => this.#receive(line),
      onOversize: (bytes) => this.#options.events.onNoise?.(`a line of ${bytes} bytes was dropped`),
      maxLineBytes: this.#options.maxLineBytes,
    });
    const read = (chunk: Uint8Array, isLent: boolean): void => {
      splitter.push(chunk, isLent);
      const wait = this.#pace.next() ?? nextTurnAfter(chunk);
      if (wait === undefined) return;
      child.stdout.pause();
      void wait.finally(() => child.stdout.resume());
    };
    child.stdout.on('data', (chunk: Buffer) => read(chunk, false));
    takeOutputReads(child.stdout, (bytes) => {
      const isLarge = bytes.length >= LARGE_READ_BYTES;
      read(isLarge ? bytes : keptBytes(bytes), isLarge);
    });
    const ended = deferred<undefined>();
    child.stdout.once('close', () => {
      splitter.end();
      ended.resolve(undefined);
    });
    void Promise.race([ended.promise, child.exited]).then(() => this.#end(child, ended.promise));
  }

  request(message: JsonRpcRequest, exchange: Exchange): Promise<JsonRpcResponse> {
    const { signal } = exchange;
    if (signal.aborted) return Promise.reject(abortedError(signal, 'not-executed'));
    const answer = this.#pending.add(message, exchange);
    this.#pace.joined();
    this.#sendRequest(message, exchange, (thrown) => {
      if (thrown !== undefined) this.#pending.drop(message.id, thrown);
      else if (this.#lost !== undefined) void this.#failPending(this.#lost);
    });
    return answer;
  }

  async send(message: JsonRpcNotification | JsonRpcResult | JsonRpcFailure, signal: AbortSignal): Promise<void> {
    await waitWithSignal(this.#write(message), signal, 'ambiguous');
  }

  get sentAsBytes(): number {
    return this.#sent?.size ?? 0;
  }

  direct(): PipeTarget {
    return {
      kind: 'pipe',
      isReady: () => {
        const child = this.#child;
        return child?.stdin.writable === true && !child.stdin.writableNeedDrain && this.#lost === undefined;
      },
      write: (line, writer) => this.#writeBytes(line, writer),
      attach: (sent) => {
        this.#sent = sent;
        this.#pending.sent = sent;
      },
    };
  }

  adopt(): void {
    // Lines look the same in every revision.
  }

  async close(): Promise<void> {
    this.#closing = true;
    await this.#child?.stop();
  }

  /** @param done told when the whole line is in the pipe, or why it is not. */
  #sendRequest(message: JsonRpcRequest, exchange: Exchange, done: (thrown?: unknown) => void): void {
    try {
      const claimed = this.#goOn(message.id, exchange);
      if (claimed === undefined) this.#writeSoon(encodeLine(message), done);
      else void tellSettled(claimed, done);
    } catch (thrown) {
      done(thrown);
    }
  }

  /** Takes over what was sent on the fast path: from here on, it is a request like any other. */
  #goOn(id: RequestId, exchange: Exchange): Promise<void> | undefined {
    const { underWay, onIncoming } = exchange;
    const claimed = underWay?.kind === 'line' ? underWay.claim() : undefined;
    if (claimed === undefined) return undefined;
    for (const incoming of claimed.incoming) onIncoming(incoming);
    if (claimed.response !== undefined) this.#pending.answer(claimed.response);
    else if (claimed.large !== undefined) this.#readLarge(id, claimed.large, exchange);
    return claimed.written;
  }

  #writeBytes(line: Buffer, writer: LineWriter): void {
    this.#pace.joined();
    this.#input?.write(line, this.#isAlone, (error) => {
      if (error === null || error === undefined) writer.onWritten();
      else void this.#whenEnded((gone) => writer.fail(gone));
    });
  }

  /** Does no other request wait for its answer? */
  get #isAlone(): boolean {
    return this.#pending.size + this.sentAsBytes <= 1;
  }

  /** Tells when the whole line is in the pipe. A line that was not written whole cannot have been executed. */
  #writeSoon(line: string, done: (thrown?: unknown) => void): void {
    if (this.#lost !== undefined || this.#child?.stdin.writable !== true) {
      done(this.#gone());
      return;
    }
    this.#input?.write(line, this.#isAlone, (error) => {
      if (error === null || error === undefined) done();
      // How it ended is known a moment later, and says more than a broken pipe.
      else void this.#whenEnded(done);
    });
  }

  #write(message: JsonRpcMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#writeSoon(encodeLine(message), (thrown) => (thrown === undefined ? resolve() : reject(thrown)));
    });
  }

  async #whenEnded(tell: (error: McpClientError) => void): Promise<void> {
    await within(EXIT_GRACE_MS, this.#ended.promise);
    tell(this.#gone());
  }

  /** Answers that came whole are given before. */
  async #failPending(reason: McpClientError): Promise<void> {
    await Promise.all(this.#reading);
    this.#pending.fail(reason);
  }

  #gone(): McpClientError {
    return (this.#lost ?? processEndedError(this.#options.name, undefined, 'not-executed')).with({
      delivery: 'not-executed',
    });
  }

  /** A large line may be an answer that is passed on as bytes. */
  #placeFor(bytes: number, instead: Uint8Array | undefined): Uint8Array | undefined {
    if (bytes <= PLACED_BYTES || bytes > FAST_ANSWER_BYTES || this.sentAsBytes === 0) return undefined;
    const place = ANSWER_PLACES.take(bytes);
    if (instead !== undefined) ANSWER_PLACES.put(instead);
    return place;
  }

  /** A large answer is read in another thread, where there is one. */
  #takeLarge(line: Uint8Array): boolean {
    const id = largeAnswerId(line);
    if (id === undefined) return false;
    const exchange = this.#pending.exchangeOf(id);
    if (exchange === undefined) return this.#sent?.takeLarge(id, line) === true;
    this.#readLarge(id, line, exchange);
    return true;
  }

  #readLarge(id: RequestId, line: Uint8Array, exchange: Exchange): void {
    const large = exchange.openLarge?.(id);
    if (large === undefined) {
      this.#receive(new TextDecoder().decode(line));
      return;
    }
    const read = async (): Promise<void> => {
      try {
        large.push(line);
        this.#take(await waitWithSignal(large.finish(), exchange.signal, 'ambiguous'));
      } catch (thrown) {
        this.#pending.drop(id, thrown);
      } finally {
        large[Symbol.dispose]();
      }
    };
    const reading = read().finally(() => this.#reading.delete(reading));
    this.#reading.add(reading);
  }

  #receive(line: string): void {
    this.#take(messagesFrom(this.#options.name, line), line);
  }

  #take(messages: readonly Classified[], line = 'a large line'): void {
    const { events } = this.#options;
    const listening = {
      onIncoming: events.onIncoming,
      onNoise: () => events.onNoise?.(line),
    };
    for (const classified of messages) takeMessage(classified, this.#pending, listening);
  }

  async #end(child: LaunchedProcess, outputRead: Promise<undefined>): Promise<void> {
    this.#pace.end();
    const report = await within(EXIT_GRACE_MS, child.exited);
    // An answer may still be in the pipe when the child is already gone.
    await within(EXIT_GRACE_MS, outputRead);
    if (report === undefined) void child.stop();
    this.#lost = processEndedError(this.#options.name, report, 'ambiguous');
    this.#ended.resolve(undefined);
    await this.#failPending(this.#lost);
    this.#sent?.fail(this.#lost);
    if (!this.#closing) this.#options.events.onLost(this.#lost);
  }
}

const tellSettled = async (work: Promise<void>, done: (thrown?: unknown) => void): Promise<void> => {
  try {
    await work;
  } catch (thrown) {
    done(thrown);
    return;
  }
  done();
};

const within = async <T extends ExitReport | undefined>(ms: number, work: Promise<T>): Promise<T | undefined> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};
