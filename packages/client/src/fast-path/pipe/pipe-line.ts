import type { Era } from '@plugboard/wire';
import type { CallGate } from '../../policy/call-gate.js';
import type { LiveSession } from '../../session/live-session.js';
import type { PipeTarget } from '../../transport/transport.js';
import type { DirectListener, DirectMessage, FastLine } from '../fast-line.js';
import { patienceOf, SlowWatch } from '../slow-watch.js';
import { PipeExchange } from './pipe-exchange.js';
import { SentLines } from './sent-lines.js';

export interface PipeLineOptions {
  readonly live: LiveSession;
  readonly target: PipeTarget;
  readonly gate: CallGate | undefined;
  /** How long a call may take on the full path. */
  readonly callMs: number;
  readonly nextId: () => number;
}

const LINE_FEED = 0x0a;
const RETURN = 0x0d;

/** Is this one line, and nothing that any program could read as two? */
const isOneLine = (body: Buffer): boolean =>
  body.length > 0 && body.indexOf(LINE_FEED) === body.length - 1 && !body.includes(RETURN);

/** The fast path to a program: one line written, its answer found by its id. */
export class PipeLine implements FastLine {
  readonly transport = 'stdio';
  readonly ending = '\n';
  readonly live: LiveSession;
  readonly gate: CallGate | undefined;
  readonly #options: PipeLineOptions;
  readonly #watch: SlowWatch;
  readonly #sent = new SentLines();

  constructor(options: PipeLineOptions) {
    this.live = options.live;
    this.gate = options.gate;
    this.#options = options;
    this.#watch = new SlowWatch(patienceOf(options.callMs));
    options.target.attach(this.#sent);
  }

  get era(): Era {
    return this.live.agreement.revision.era;
  }

  get revision(): string {
    return this.live.agreement.version;
  }

  nextId(): number {
    return this.#options.nextId();
  }

  /** A program that does not read its input is written to on the full path, which waits for it. */
  prepare(message: DirectMessage, listener: DirectListener): PipeExchange | undefined {
    if (!this.#options.target.isReady() || !this.#sent.hasRoomFor(message.id) || !isOneLine(message.body)) {
      return undefined;
    }
    return this.gate?.tryEnter() === false ? undefined : new PipeExchange(this, message, listener);
  }

  post({ body }: DirectMessage, exchange: PipeExchange): void {
    this.#options.target.write(body, exchange);
  }

  cancel(exchange: PipeExchange): void {
    exchange.cancel();
  }

  begin(exchange: PipeExchange): void {
    this.#sent.add(exchange);
    this.#watch.add(exchange);
  }

  renew(exchange: PipeExchange): void {
    this.#watch.renew(exchange, exchange.startedAt);
  }

  unwatch(exchange: PipeExchange): void {
    this.#watch.remove(exchange);
  }

  end(exchange: PipeExchange): void {
    this.#watch.remove(exchange);
    this.#sent.remove(exchange);
  }
}
