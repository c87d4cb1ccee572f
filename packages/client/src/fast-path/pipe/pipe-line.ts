import type { CallGate } from '../../policy/call-gate.js';
import type { PipeTarget } from '../../transport/transport.js';
import type { DirectListener, DirectMessage, FastLine } from '../line/fast-line.js';
import { type LineOptions, SessionLine } from '../line/session-line.js';
import { patienceOf, SlowWatch } from '../line/slow-watch.js';
import { PipeExchange } from './pipe-exchange.js';
import { SentLines } from './sent-lines.js';

const LINE_FEED = 0x0a;
const RETURN = 0x0d;

/** Is this one line, and nothing that any program could read as two? */
const isOneLine = (body: Buffer): boolean =>
  body.length > 0 && body.indexOf(LINE_FEED) === body.length - 1 && !body.includes(RETURN);

/** The fast path to a program: one line written, its answer found by its id. */
export class PipeLine extends SessionLine<PipeTarget> implements FastLine {
  readonly transport = 'stdio';
  readonly ending = '\n';
  readonly gate: CallGate | undefined;
  readonly #watch: SlowWatch;
  readonly #sent = new SentLines();

  constructor(options: LineOptions<PipeTarget>) {
    super(options);
    this.gate = options.gate;
    this.#watch = new SlowWatch(patienceOf(options.callMs));
    options.target.attach(this.#sent);
  }

  /** A program that does not read its input is written to on the full path, which waits for it. */
  prepare(message: DirectMessage, listener: DirectListener): PipeExchange | undefined {
    if (!this.options.target.isReady() || !this.#sent.hasRoomFor(message.id) || !isOneLine(message.body)) {
      return undefined;
    }
    return this.gate?.tryEnter() === false ? undefined : new PipeExchange(this, message, listener);
  }

  post({ body }: DirectMessage, exchange: PipeExchange): void {
    this.options.target.write(body, exchange);
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
