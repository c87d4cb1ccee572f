import type { AnswerSpans, JsonRpcResponse, Span } from '@plugboard/wire';
import { type Deferred, deferred } from '@plugboard/base';
import type { McpClientError } from '../../error/client-error.js';
import { HeldPlace } from '../../policy/call-gate.js';
import { tellCancelled } from '../../session/tell-cancelled.js';
import { ANSWER_PLACES, PLACED_BYTES } from '../../read-buffer/answer-place.js';
import type { LiveSession } from '../../session/live-session.js';
import type { Incoming } from '../../transport/transport.js';
import type { DirectListener, DirectMessage, FastExchange, Unusual } from '../line/fast-line.js';
import type { Watched } from '../line/slow-watch.js';
import type { ClaimedLine } from '../../transport/claimed-request.js';
import type { LineUnderWay } from '../line/sent-request.js';
import type { PipeLine } from './pipe-line.js';

/** `fast`: waits for its answer. `left`: goes on on the full path, which has not claimed it yet. */
type State = 'fast' | 'left' | 'over';

/** One line to a program and its answer. It ends here when the answer is plain; otherwise it is handed over as it is. */
export class PipeExchange implements Watched, FastExchange, LineUnderWay {
  readonly kind = 'line';
  readonly id: number;
  /** The id as the answer has to repeat it. */
  readonly idText: string;
  readonly startedAt = performance.now();
  since = this.startedAt;
  readonly place = new HeldPlace(this.startedAt);
  before: Watched | undefined;
  after: Watched | undefined;
  // Not private names: those cost twice as much to make, and one exchange is made for every call.
  private readonly line: PipeLine;
  private readonly message: DirectMessage;
  private readonly listener: DirectListener;
  private state: State = 'fast';
  private isWritten = false;
  private written: Deferred<void> | undefined;
  private incoming: Incoming[] | undefined;
  private response: JsonRpcResponse | undefined;
  private large: Uint8Array | undefined;
  private error: McpClientError | undefined;

  constructor(line: PipeLine, message: DirectMessage, listener: DirectListener) {
    this.line = line;
    this.message = message;
    this.listener = listener;
    this.id = message.id;
    this.idText = String(message.id);
    line.begin(this);
  }

  get live(): LiveSession {
    return this.line.live;
  }

  get isOpen(): boolean {
    return this.state === 'left';
  }

  /** Could the server have sent this because of the call? */
  mayCause({ kind, message }: Incoming): boolean {
    return kind === 'request' || (message.method === 'notifications/message' && this.message.wantsLog);
  }

  /** The whole line is in the pipe. */
  onWritten(): void {
    this.isWritten = true;
    this.written?.resolve();
  }

  /** False when somebody else should read the answer. */
  takeAnswer(line: Buffer, spans: AnswerSpans): boolean {
    if (this.state !== 'fast' || line.length > this.message.maxBytes) return false;
    const release = line.length < PLACED_BYTES ? undefined : (): void => ANSWER_PLACES.put(line);
    if (!this.listener.onAnswer(line, spans, release)) return false;
    this.state = 'over';
    this.line.end(this);
    if (this.place.take()) this.line.gate?.answered();
    return true;
  }

  /** False when the full path should pass it on. */
  takeProgress(line: Buffer, token: Span): boolean {
    if (this.state !== 'fast' || !this.listener.onProgress(line, token)) return false;
    this.line.renew(this);
    return true;
  }

  takeResponse(response: JsonRpcResponse): void {
    this.response ??= response;
    this.leave('answer');
  }

  /** The answer is too large to be read here. */
  takeLarge(line: Uint8Array): void {
    this.large ??= line;
    this.leave('answer');
  }

  /** The server tells or asks something on behalf of the call. */
  onIncoming(incoming: Incoming): void {
    this.incoming ??= [];
    this.incoming.push(incoming);
    this.leave(incoming.kind === 'request' ? 'question' : 'notification');
  }

  tooSlow(): void {
    this.leave('too-slow');
  }

  /** A line that was not written whole cannot have been executed. */
  fail(error: McpClientError): void {
    this.error ??= this.isWritten ? error : error.with({ delivery: 'not-executed' });
    if (!this.isWritten) this.written?.reject(this.error);
    this.leave('failed');
  }

  /** Nobody waits any more. */
  cancel(): void {
    if (this.state === 'over') return;
    this.end();
    if (this.place.take()) this.line.gate?.leave();
    void tellCancelled(this.live, this.id);
  }

  handOver(): LineUnderWay {
    return this;
  }

  claim(): ClaimedLine | undefined {
    if (this.state !== 'left') return undefined;
    this.end();
    return { written: this.whenWritten(), incoming: this.incoming ?? [], response: this.response, large: this.large };
  }

  drop(): void {
    if (this.place.take()) this.line.gate?.leave();
    if (this.state !== 'left') return;
    this.end();
    const isAnswered = this.response !== undefined || this.large !== undefined;
    if (!isAnswered && this.error === undefined) void tellCancelled(this.live, this.id);
  }

  private async whenWritten(): Promise<void> {
    // An answer proves more than a pipe that broke afterwards.
    if (this.response !== undefined || this.large !== undefined) return;
    if (this.error !== undefined) throw this.error;
    if (this.isWritten) return;
    this.written = deferred<void>();
    await this.written.promise;
  }

  private leave(reason: Unusual): void {
    if (this.state !== 'fast') return;
    this.state = 'left';
    this.line.unwatch(this);
    this.listener.onUnusual(reason);
  }

  private end(): void {
    this.state = 'over';
    this.line.end(this);
  }
}
