import { type Deferred, deferred } from '@plugboard/base';
import { MAX_JSON_DEPTH } from '@plugboard/contract';
import { isText, scanProgress } from '@plugboard/wire';
import { abortedError } from '../error/aborted-error.js';
import { networkError } from '../error/network-error.js';
import { ANSWER_PLACES, FAST_ANSWER_BYTES, PLACED_BYTES } from '../read-buffer/answer-place.js';
import { keptBytes, ownBytes } from '../read-buffer/kept-bytes.js';
import { type Room, UNCOUNTED_BYTES } from '../read-buffer/byte-budget.js';
import { HeldPlace, type CallGate } from '../policy/call-gate.js';
import type { LiveSession } from '../session/live-session.js';
import type { SentAnswer } from '../transport/http-channel.js';
import { FirstEventSearch } from './first-event.js';
import { HandedOverBody } from './http1/handed-over-body.js';
import type { Http1Controller, Http1Handler, ResponseHead } from './http1/http1-handler.js';
import type { SlowWatch, Watched } from './line/slow-watch.js';
import type { DirectListener, FastExchange, Unusual } from './line/fast-line.js';
import type { PostUnderWay } from './line/sent-request.js';

export interface DirectExchangeOptions {
  readonly id: number;
  readonly live: LiveSession;
  readonly host: string;
  readonly gate: CallGate | undefined;
  readonly watch: SlowWatch;
  readonly maxBytes: number;
  /** Counts what is kept of the answer until it is whole. */
  readonly room?: (() => Room) | undefined;
  readonly listener: DirectListener;
}

type State = 'sent' | 'json' | 'stream' | 'unusual' | 'lingering' | 'handed-over' | 'over';

/** Every look joins what came so far, so there may not be many. */
const MAX_LOOKS = 32;
/** An answer in more chunks is read on the full path, which joins small ones. */
const MAX_CHUNKS = 512;

const unwanted = (): Error => Object.assign(new Error('nobody waits for it'), { code: 'UND_ERR_ABORTED' });

/** One POST and its answer. It ends here when the answer is one plain message; otherwise it is handed over as it is. */
export class DirectExchange implements Http1Handler, Watched, FastExchange, PostUnderWay {
  readonly kind = 'post';
  readonly id: number;
  readonly live: LiveSession;
  readonly startedAt = performance.now();
  since = this.startedAt;
  readonly place = new HeldPlace(this.startedAt);
  before: Watched | undefined;
  after: Watched | undefined;
  /** The fields of the credentials that it was sent with. */
  sent: SentAnswer['sent'] = {};
  // Not private names: those cost twice as much to make, and one exchange is made for every call.
  private readonly options: DirectExchangeOptions;
  private answer: Deferred<SentAnswer> | undefined;
  private state: State = 'sent';
  private controller: Http1Controller | undefined;
  private status = 0;
  private head: ResponseHead | undefined;
  private chunks: Buffer[] = [];
  /** Where a large answer is joined. */
  private gathering: Buffer | undefined;
  private size = 0;
  private looks = 0;
  private search: FirstEventSearch | undefined;
  private room: Room | undefined;
  private counted = 0;
  private complete = false;
  /** The id was seen in the answer, so the server received the request. */
  private proven = false;
  private error: Error | undefined;
  private body: HandedOverBody | undefined;
  private claimed = false;

  constructor(options: DirectExchangeOptions) {
    this.options = options;
    this.id = options.id;
    this.live = options.live;
    options.watch.add(this);
  }

  onRequestStart(controller: Http1Controller): void {
    this.controller = controller;
    if (this.state === 'over') controller.abort(unwanted());
  }

  onResponseStart(_controller: Http1Controller, status: number, head: ResponseHead): void {
    this.status = status;
    this.head = head;
    if (this.state === 'handed-over') {
      this.tell();
      return;
    }
    const type = head.contentType;
    if (status !== 200) this.giveUp('status');
    else if (type.startsWith('application/json')) this.state = 'json';
    else if (type.startsWith('text/event-stream')) this.state = 'stream';
    else this.giveUp('content-type');
  }

  onResponseData(_controller: Http1Controller, chunk: Buffer): void {
    if (this.body !== undefined) {
      this.proven ||= this.isNamedIn(chunk);
      this.body.give(chunk);
      return;
    }
    if (this.state === 'lingering' || this.state === 'over') return;
    this.keep(chunk);
    if (this.state === 'unusual') return;
    const isLarge = this.size > this.options.maxBytes || this.chunks.length > MAX_CHUNKS;
    if (isLarge || !this.hasRoom()) this.giveUp('too-large');
    else if (this.state === 'stream' && chunk.includes(0x0a)) this.lookForEvent();
  }

  onResponseEnd(): boolean {
    this.complete = true;
    if (this.body !== undefined) this.body.complete();
    else if (this.state === 'json') this.take(this.collected());
    else if (this.state === 'stream') this.giveUp('stream');
    else if (this.state === 'lingering') this.end();
    return this.proven;
  }

  onResponseError(_controller: Http1Controller | undefined, error: Error): void {
    this.fail(error);
  }

  /** There will be no answer, or no more of it. */
  fail(error: Error): void {
    this.error = error;
    this.complete = true;
    if (this.state === 'lingering' || this.state === 'over') {
      this.end();
    } else if (this.body !== undefined) {
      this.body.fail(error);
    } else if (this.answer !== undefined) {
      this.answer.reject(networkError(error, this.options.host));
    } else {
      this.giveUp('failed');
    }
  }

  tooSlow(): void {
    if (this.state === 'lingering') this.abort();
    else this.giveUp('too-slow');
  }

  /** Nobody waits any more, and the server shall know. */
  cancel(): void {
    if (this.state === 'over' || this.state === 'handed-over') return;
    this.options.watch.remove(this);
    if (this.place.take()) this.options.gate?.leave();
    this.abort();
  }

  /** From now on it is the first attempt of a call on the full path. */
  handOver(): PostUnderWay {
    this.options.watch.remove(this);
    this.forgetRoom();
    this.state = 'handed-over';
    const answer = deferred<SentAnswer>();
    this.answer = answer;
    // A caller that drops it does not look at the outcome.
    answer.promise.catch(() => undefined);
    if (this.status !== 0) this.tell();
    else if (this.error !== undefined) answer.reject(networkError(this.error, this.options.host));
    return this;
  }

  get isOpen(): boolean {
    return !this.claimed;
  }

  claim(signal: AbortSignal): Promise<SentAnswer> | undefined {
    const answer = this.answer;
    if (this.claimed || answer === undefined) return undefined;
    this.claimed = true;
    const onAbort = (): void => {
      answer.reject(abortedError(signal, 'ambiguous'));
      if (this.body === undefined) this.abort();
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    return answer.promise.finally(() => signal.removeEventListener('abort', onAbort));
  }

  drop(): void {
    if (this.place.take()) this.options.gate?.leave();
    if (this.claimed) return;
    this.claimed = true;
    if (this.body === undefined) this.abort();
    else this.body.destroy();
  }

  private tell(): void {
    const controller = this.controller;
    if (controller === undefined) return;
    this.leavePlace();
    this.proven ||= this.chunks.some((chunk) => this.isNamedIn(chunk));
    const body = new HandedOverBody(controller, this.chunks);
    this.chunks = [];
    this.body = body;
    if (this.error !== undefined) body.fail(this.error);
    else if (this.complete) body.complete();
    const headers = this.head?.headers() ?? {};
    this.answer?.resolve({ sent: this.sent, answer: { status: this.status, headers, body } });
  }

  /** Nobody else can know the id. One that is cut in two is not found, which costs no more than a new connection. */
  private isNamedIn(chunk: Buffer): boolean {
    return chunk.includes(String(this.id));
  }

  /** Without room, the call continues on the full path, which reports the error. */
  private hasRoom(): boolean {
    if (this.size <= UNCOUNTED_BYTES) return true;
    const { room } = this.options;
    if (room === undefined) return true;
    this.room ??= room();
    const refused = this.room.grow(this.size - this.counted);
    if (refused === undefined) this.counted = this.size;
    return refused === undefined;
  }

  private forgetRoom(): void {
    this.room?.[Symbol.dispose]();
    this.room = undefined;
  }

  private keep(chunk: Buffer): void {
    const start = this.size;
    this.size += chunk.length;
    const fits = this.state === 'json' && this.size <= Math.min(this.options.maxBytes, FAST_ANSWER_BYTES);
    if (fits && this.size > PLACED_BYTES) {
      chunk.copy(this.placeAfter(start), start);
      return;
    }
    this.leavePlace(start);
    this.chunks.push(ownBytes(chunk));
  }

  /** A large answer is joined while it comes, in memory that is there already. `length` is what came before. */
  private placeAfter(length: number): Buffer {
    const { gathering } = this;
    if (gathering !== undefined && gathering.length >= this.size) return gathering;
    const place = ANSWER_PLACES.take(this.size);
    gathering?.copy(place, 0, 0, length);
    this.dropPlace();
    let at = 0;
    for (const chunk of this.chunks) at += chunk.copy(place, at);
    this.chunks = [];
    this.gathering = place;
    return place;
  }

  /** What was gathered goes on as a chunk of its own. */
  private leavePlace(length = this.size): void {
    const { gathering } = this;
    if (gathering === undefined) return;
    this.chunks = [keptBytes(gathering.subarray(0, length))];
    this.dropPlace();
  }

  private dropPlace(): void {
    if (this.gathering !== undefined) ANSWER_PLACES.put(this.gathering);
    this.gathering = undefined;
  }

  private collected(): Buffer {
    if (this.gathering !== undefined) return this.gathering.subarray(0, this.size);
    const [first] = this.chunks;
    return this.chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.chunks);
  }

  private lookForEvent(): void {
    this.looks += 1;
    for (let hasMore = true; hasMore;) {
      const bytes = this.collected();
      this.chunks = [bytes];
      this.search ??= new FirstEventSearch();
      const event = this.search.look(bytes);
      if (event === 'unusual' || (event === 'more' && this.looks >= MAX_LOOKS)) {
        this.giveUp('stream');
        return;
      }
      if (event === 'more') return;
      const message = bytes.subarray(event.start, event.end);
      if (!this.tellsProgress(message)) {
        this.take(message);
        return;
      }
      this.forget(this.search.at);
      hasMore = this.size > 0;
    }
  }

  /** A stream that can be resumed is read on the full path, which knows where. */
  private tellsProgress(message: Buffer): boolean {
    if (this.search?.hasId === true) return false;
    const token = scanProgress(message, MAX_JSON_DEPTH);
    if (token === undefined || !isText(message, token, String(this.id))) return false;
    if (!this.options.listener.onProgress(message, token)) return false;
    this.proven = true;
    this.options.watch.renew(this, this.startedAt);
    return true;
  }

  /** What came before this place was passed on. */
  private forget(end: number): void {
    const rest = this.collected().subarray(end);
    this.chunks = rest.length === 0 ? [] : [rest];
    this.size = rest.length;
    this.counted = 0;
    this.forgetRoom();
    this.looks = 0;
    this.search = undefined;
  }

  private take(message: Buffer): void {
    const { gathering } = this;
    const release = gathering && ((): void => ANSWER_PLACES.put(gathering));
    if (!this.options.listener.onAnswer(message, undefined, release)) {
      this.giveUp('answer');
      return;
    }
    this.gathering = undefined;
    this.proven = true;
    this.forgetRoom();
    this.options.watch.remove(this);
    if (this.place.take()) this.options.gate?.answered();
    this.chunks = [];
    if (this.complete) {
      this.state = 'over';
      return;
    }
    // A server ends its stream right after the answer; when it does not, the connection is not worth waiting for.
    this.state = 'lingering';
    this.since = performance.now();
    this.options.watch.add(this);
  }

  private giveUp(reason: Unusual): void {
    if (this.state === 'unusual' || this.state === 'over') return;
    this.state = 'unusual';
    this.options.listener.onUnusual(reason);
  }

  private end(): void {
    this.dropPlace();
    this.forgetRoom();
    this.state = 'over';
    this.options.watch.remove(this);
  }

  private abort(): void {
    this.dropPlace();
    this.forgetRoom();
    this.state = 'over';
    if (!this.complete) this.controller?.abort(unwanted());
  }
}
