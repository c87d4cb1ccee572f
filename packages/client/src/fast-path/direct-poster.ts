import { fieldOf, type HttpChannel } from '../transport/http-channel.js';
import type { Http1Handler, ResponseHead } from './http1/http1-handler.js';
import type { Http1Pool } from './http1/http1-pool.js';
import { type FieldList, isPlain, isSame, linesOf, postStart } from './http1/plain-fields.js';

export interface DirectPost {
  /** What every request carries: the same list for as long as it says the same. */
  readonly fixed: FieldList;
  readonly own: FieldList;
  readonly body: Buffer;
}

/** Posts bytes to one URL. */
export interface DirectPoster {
  post(post: DirectPost, handler: Http1Handler): void;
}

/** Fields as the beginning of a request; undefined when undici has to write them. */
interface Head {
  readonly of: FieldList;
  readonly text: string | undefined;
}

/** Over connections of our own where that is possible: much of what undici does for a request is not needed here. */
export class Http1Poster implements DirectPoster {
  readonly #pool: Http1Pool;
  readonly #other: DirectPoster;
  readonly #start: string;
  #fixed: Head = { of: [], text: '' };
  #last: Head = { of: [], text: '' };

  constructor(pool: Http1Pool, url: URL, other: DirectPoster) {
    this.#pool = pool;
    this.#other = other;
    this.#start = postStart(url);
  }

  post(post: DirectPost, handler: Http1Handler): void {
    const head = this.#headOf(post);
    if (head === undefined) this.#other.post(post, handler);
    else this.#pool.post({ head, body: post.body }, handler);
  }

  /** Undefined for fields that are not plain. Calls of one tool have the same again and again. */
  #headOf({ fixed, own }: DirectPost): string | undefined {
    const isNew = this.#fixed.of !== fixed;
    if (isNew) this.#fixed = { of: fixed, text: isPlain(fixed) ? this.#start + linesOf(fixed) : undefined };
    if (isNew || !isSame(this.#last.of, own)) this.#last = { of: own, text: this.#written(own) };
    return this.#last.text;
  }

  #written(own: FieldList): string | undefined {
    const { text } = this.#fixed;
    return text !== undefined && isPlain(own) ? text + linesOf(own) : undefined;
  }
}

/** Whatever way undici knows: through a proxy, or to a program that has to be started first. */
export class DispatcherPoster implements DirectPoster {
  readonly #channel: Pick<HttpChannel, 'dispatcher'>;
  readonly #target: { readonly origin: string; readonly path: string };

  constructor(channel: Pick<HttpChannel, 'dispatcher'>, url: URL) {
    this.#channel = channel;
    this.#target = { origin: url.origin, path: `${url.pathname}${url.search}` };
  }

  post({ fixed, own, body }: DirectPost, handler: Http1Handler): void {
    this.#channel.dispatcher.dispatch(
      { ...this.#target, method: 'POST', headers: [...fixed, ...own], body, headersTimeout: 0, bodyTimeout: 0 },
      {
        onRequestStart: (controller) => handler.onRequestStart(controller),
        onResponseStart: (controller, status, headers) => {
          if (status < 200) return;
          const head: ResponseHead = { contentType: fieldOf(headers, 'content-type') ?? '', headers: () => headers };
          handler.onResponseStart(controller, status, head);
        },
        onResponseData: (controller, chunk) => handler.onResponseData(controller, chunk),
        onResponseEnd: () => void handler.onResponseEnd(),
        onResponseError: (controller, error) => handler.onResponseError(controller, error),
      },
    );
  }
}
