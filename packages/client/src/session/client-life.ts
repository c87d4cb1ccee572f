import { setMaxListeners } from 'node:events';
import { LightAbort } from '@plugboard/base';
import { Chain, type ChainLink } from '../fast-path/http1/chain.js';

/** The end of one request: aborts with its caller, with the life of its client, or for a reason of its own. */
export class RequestEnd implements ChainLink<RequestEnd>, Disposable {
  before: RequestEnd | undefined;
  after: RequestEnd | undefined;
  // Not private names: those cost twice as much to make.
  private readonly controller = new LightAbort();
  private readonly life: Chain<RequestEnd>;
  private readonly caller: AbortSignal | undefined;

  constructor(life: Chain<RequestEnd>, caller: AbortSignal | undefined) {
    this.life = life;
    this.caller = caller;
    if (caller?.aborted === true) {
      this.handleEvent();
      return;
    }
    caller?.addEventListener('abort', this);
    life.append(this);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  abort(reason: unknown): void {
    this.controller.abort(reason);
  }

  /** The caller has aborted. */
  handleEvent(): void {
    this.controller.abort(this.caller?.reason);
  }

  [Symbol.dispose](): void {
    this.caller?.removeEventListener('abort', this);
    this.life.remove(this);
  }
}

/**
 * One life of a client: from when it is made, or disposed, until it is disposed. Requests stand in a chain and do not listen
 * to one signal: the listeners of a signal are linked, so that an old one would keep all that come after it in memory.
 */
export class ClientLife {
  readonly #controller = new AbortController();
  readonly #requests = new Chain<RequestEnd>();

  constructor() {
    // Much may listen to it at once: that is no leak.
    setMaxListeners(0, this.#controller.signal);
  }

  /** For what lasts longer than a request. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** A request begins; the result is disposed at its end. */
  begin(caller: AbortSignal | undefined): RequestEnd {
    return new RequestEnd(this.#requests, caller);
  }

  end(reason: unknown): void {
    this.#controller.abort(reason);
    for (let { first } = this.#requests; first !== undefined; { first } = this.#requests) {
      this.#requests.remove(first);
      first.abort(reason);
    }
  }
}
