import { toClientError } from '../error/to-client-error.js';
import { tellCancelled } from '../session/tell-cancelled.js';
import type { PostTarget } from '../transport/transport.js';
import { DirectExchange } from './direct-exchange.js';
import { DispatcherPoster, type DirectPoster, Http1Poster } from './direct-poster.js';
import type { FieldList } from './http1/plain-fields.js';
import type { DirectListener, DirectMessage, FastLine } from './line/fast-line.js';
import { type LineOptions, SessionLine } from './line/session-line.js';
import { patienceOf, SlowWatch } from './line/slow-watch.js';

const PROOF_MS = 10_000;

/** The fast path to a server over Streamable HTTP. */
export class DirectLine extends SessionLine<PostTarget> implements FastLine {
  readonly transport = 'streamable_http';
  readonly ending = '';
  readonly #watch: SlowWatch;
  readonly #poster: DirectPoster;
  #fixed: { readonly proof: Readonly<Record<string, string>>; readonly fields: FieldList } | undefined;

  constructor(options: LineOptions<PostTarget>) {
    super(options);
    const { channel, url } = options.target;
    const dispatched = new DispatcherPoster(channel, url);
    this.#poster = channel.http1 === undefined ? dispatched : new Http1Poster(channel.http1, url, dispatched);
    this.#watch = new SlowWatch(patienceOf(options.callMs));
  }

  prepare(message: DirectMessage, listener: DirectListener): DirectExchange | undefined {
    const { gate, live, target } = this.options;
    if (gate?.tryEnter() === false) return undefined;
    return new DirectExchange({
      id: message.id,
      live,
      host: target.url.host,
      gate,
      watch: this.#watch,
      maxBytes: message.maxBytes,
      room: target.channel.room,
      listener,
    });
  }

  post(message: DirectMessage, exchange: DirectExchange): void {
    const proof = this.options.target.channel.recentProof();
    if (proof === undefined) void this.#sendWithProof(message, exchange);
    else this.#send(message, exchange, proof);
  }

  cancel(exchange: DirectExchange): void {
    exchange.cancel();
    void tellCancelled(this.live, exchange.id);
  }

  async #sendWithProof(message: DirectMessage, exchange: DirectExchange): Promise<void> {
    try {
      const proof = await this.options.target.channel.proof(AbortSignal.timeout(PROOF_MS));
      this.#send(message, exchange, proof);
    } catch (thrown) {
      exchange.fail(toClientError(thrown));
    }
  }

  #send(message: DirectMessage, exchange: DirectExchange, proof: Readonly<Record<string, string>>): void {
    exchange.sent = proof;
    this.#poster.post({ fixed: this.#fieldsWith(proof), own: message.headers, body: message.body }, exchange);
  }

  /** What every request carries, written down once for as long as it stays the same. */
  #fieldsWith(proof: Readonly<Record<string, string>>): FieldList {
    if (this.#fixed?.proof !== proof) {
      this.#fixed = { proof, fields: Object.entries(this.options.target.fields(proof)).flat() };
    }
    return this.#fixed.fields;
  }
}
