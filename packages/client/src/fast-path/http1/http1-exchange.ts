import type { ChainLink } from './chain.js';
import type { Http1Controller, Http1Handler, Http1Request } from './http1-handler.js';

/** The connection that a request is on. */
export interface Carrier {
  pause(): void;
  resume(): void;
  abort(reason: Error): void;
}

/**
 * One request and the handler of its answer. It is also the controller, and has its connection only while it uses it: a
 * handler that acts too late cannot affect the next request on that connection.
 */
export class Http1Exchange implements Http1Controller, ChainLink<Http1Exchange> {
  before: Http1Exchange | undefined = undefined;
  after: Http1Exchange | undefined = undefined;
  carrier: Carrier | undefined = undefined;
  /** Until it is written. */
  request: Http1Request | undefined;
  readonly handler: Http1Handler;

  constructor(request: Http1Request, handler: Http1Handler) {
    this.request = request;
    this.handler = handler;
  }

  pause(): void {
    this.carrier?.pause();
  }

  resume(): void {
    this.carrier?.resume();
  }

  abort(reason: Error): void {
    this.carrier?.abort(reason);
  }

  /** Tells the handler; what it throws is its own affair. True when the answer belongs to the request. */
  end(): boolean {
    try {
      return this.handler.onResponseEnd();
    } catch {
      return false;
    }
  }

  fail(controller: Http1Controller | undefined, error: Error): void {
    try {
      this.handler.onResponseError(controller, error);
    } catch {
      // There is nobody left to tell.
    }
  }
}
