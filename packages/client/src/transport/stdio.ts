import {
  encodeLine,
  LineSplitter,
  type JsonRpcFailure,
  type JsonRpcMessage,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type JsonRpcResponse,
  type JsonRpcResult,
} from '@plugboard/wire';
import { deferred } from '../deadline/deferred.js';
import { waitWithSignal } from '../deadline/wait-with-signal.js';
import { throwIfAborted } from '../error/aborted-error.js';
import type { McpClientError } from '../error/client-error.js';
import { processEndedError } from '../error/process-error.js';
import { toClientError } from '../error/to-client-error.js';
import type { ExitReport } from '../process/exit-report.js';
import type { LaunchedProcess } from '../process/launch-process.js';
import { messagesFrom } from './incoming-messages.js';
import { ChannelPace } from './channel-pace.js';
import { PendingAnswers } from './pending-answers.js';
import type { Exchange, Transport, TransportEvents } from './transport.js';

export interface StdioOptions {
  readonly name: string;
  readonly launch: (signal: AbortSignal) => Promise<LaunchedProcess>;
  readonly events: TransportEvents;
  readonly maxLineBytes?: number | undefined;
}

/** How long a child that closed its output may take to exit before it is called gone without a report. */
const EXIT_GRACE_MS = 1_000;

/** One child process, one message per line. */
export class StdioTransport implements Transport {
  readonly kind = 'stdio';
  readonly sessionId = undefined;
  readonly #options: StdioOptions;
  readonly #pending = new PendingAnswers();
  readonly #pace: ChannelPace;
  #child: LaunchedProcess | undefined;
  #lost: McpClientError | undefined;
  #closing = false;
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
    const splitter = new LineSplitter({
      onLine: (line) => this.#receive(line),
      onOversize: (bytes) => this.#options.events.onNoise?.(`a line of ${bytes} bytes was dropped`),
      maxLineBytes: this.#options.maxLineBytes,
    });
    child.stdout.on('data', (chunk: Buffer) => {
      splitter.push(chunk);
      const wait = this.#pace.next();
      if (wait === undefined) return;
      child.stdout.pause();
      void wait.finally(() => child.stdout.resume());
    });
    const ended = deferred<undefined>();
    child.stdout.once('close', () => {
      splitter.end();
      ended.resolve(undefined);
    });
    void Promise.race([ended.promise, child.exited]).then(() => this.#end(child, ended.promise));
  }

  async request(message: JsonRpcRequest, exchange: Exchange): Promise<JsonRpcResponse> {
    throwIfAborted(exchange.signal, 'not-executed');
    const answer = this.#pending.add(message, exchange);
    this.#pace.joined();
    try {
      await waitWithSignal(this.#write(message), exchange.signal, 'ambiguous');
    } catch (thrown) {
      this.#pending.drop(message.id, thrown);
      throw thrown;
    }
    if (this.#lost !== undefined) {
      this.#pending.fail(this.#lost);
    }
    return answer;
  }

  async send(message: JsonRpcNotification | JsonRpcResult | JsonRpcFailure, signal: AbortSignal): Promise<void> {
    await waitWithSignal(this.#write(message), signal, 'ambiguous');
  }

  adopt(): void {
    // Lines look the same in every revision.
  }

  async close(): Promise<void> {
    this.#closing = true;
    await this.#child?.stop();
  }

  /** Resolves when the whole line is in the pipe. A line that was not written whole cannot have been executed. */
  #write(message: JsonRpcMessage): Promise<void> {
    const child = this.#child;
    if (child === undefined || this.#lost !== undefined || !child.stdin.writable) {
      return Promise.reject(this.#gone());
    }
    return new Promise((resolve, reject) => {
      child.stdin.write(encodeLine(message), (error) => {
        if (error === null || error === undefined) resolve();
        // How it ended is known a moment later, and says more than a broken pipe.
        else void this.#whenEnded(reject);
      });
    });
  }

  async #whenEnded(tell: (error: McpClientError) => void): Promise<void> {
    await within(EXIT_GRACE_MS, this.#ended.promise);
    tell(this.#gone());
  }

  #gone(): McpClientError {
    return (this.#lost ?? processEndedError(this.#options.name, undefined, 'not-executed')).with({
      delivery: 'not-executed',
    });
  }

  #receive(line: string): void {
    for (const classified of messagesFrom(this.#options.name, line)) {
      switch (classified.kind) {
        case 'result':
        case 'failure':
          this.#pending.answer(classified.message);
          break;
        case 'request':
        case 'notification':
          if (!this.#pending.deliver(classified)) {
            this.#options.events.onIncoming(classified);
          }
          break;
        case 'invalid':
          this.#options.events.onNoise?.(line);
          break;
      }
    }
  }

  async #end(child: LaunchedProcess, outputRead: Promise<undefined>): Promise<void> {
    this.#pace.end();
    const report = await within(EXIT_GRACE_MS, child.exited);
    // An answer may still be in the pipe when the child is already gone.
    await within(EXIT_GRACE_MS, outputRead);
    if (report === undefined) {
      void child.stop();
    }
    this.#lost = processEndedError(this.#options.name, report, 'ambiguous');
    this.#ended.resolve(undefined);
    this.#pending.fail(this.#lost);
    if (!this.#closing) {
      this.#options.events.onLost(this.#lost);
    }
  }
}

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
