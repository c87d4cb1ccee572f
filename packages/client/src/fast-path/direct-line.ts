import type { Era } from '@plugboard/wire';
import { toClientError } from '../error/to-client-error.js';
import type { CallGate } from '../policy/call-gate.js';
import { tellCancelled } from '../session/tell-cancelled.js';
import type { LiveSession } from '../session/live-session.js';
import type { PostTarget } from '../transport/transport.js';
import { DirectExchange } from './direct-exchange.js';
import { DispatcherPoster, type DirectPoster, type FieldList, Http1Poster } from './direct-poster.js';
import type { DirectListener, DirectMessage, FastLine } from './fast-line.js';
import { patienceOf, SlowWatch } from './slow-watch.js';

export interface DirectLineOptions {
  readonly live: LiveSession;
  readonly target: PostTarget;
  readonly gate: CallGate | undefined;
  /** How long a call may take on the full path. */
  readonly callMs: number;
  readonly nextId: () => number;
}

const PROOF_MS = 10_000;

/** The fast path to a server over Streamable HTTP. */
export class DirectLine implements FastLine {
  readonly transport = 'streamable_http';
  readonly ending = '';
  readonly live: LiveSession;
  readonly #options: DirectLineOptions;
  readonly #watch: SlowWatch;
  readonly #poster: DirectPoster;
  #fixed: { readonly proof: Readonly<Record<string, string>>; readonly fields: FieldList } | undefined;

  constructor(options: DirectLineOptions) {
    this.live = options.live;
    this.#options = options;
    const { channel, url } = options.target;
    const dispatched = new DispatcherPoster(channel, url);
    this.#poster = channel.http1 === undefined ? dispatched : new Http1Poster(channel.http1, url, dispatched);
    this.#watch = new SlowWatch(patienceOf(options.callMs));
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

  prepare(message: DirectMessage, listener: DirectListener): DirectExchange | undefined {
    const { gate, live, target } = this.#options;
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
    const proof = this.#options.target.channel.recentProof();
    if (proof === undefined) void this.#sendWithProof(message, exchange);
    else this.#send(message, exchange, proof);
  }

  cancel(exchange: DirectExchange): void {
    exchange.cancel();
    void tellCancelled(this.live, exchange.id);
  }

  async #sendWithProof(message: DirectMessage, exchange: DirectExchange): Promise<void> {
    try {
      const proof = await this.#options.target.channel.proof(AbortSignal.timeout(PROOF_MS));
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
      this.#fixed = { proof, fields: Object.entries(this.#options.target.fields(proof)).flat() };
    }
    return this.#fixed.fields;
  }
}
