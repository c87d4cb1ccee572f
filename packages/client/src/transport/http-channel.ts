import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { abortedError, throwIfAborted } from '../error/aborted-error.js';
import { networkError } from '../error/network-error.js';
import type { CredentialSource } from './credential-source.js';

export interface HttpAsk {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal: AbortSignal;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Dispatcher.ResponseData['body'];
}

export interface HttpChannelOptions {
  readonly dispatcher: Dispatcher;
  readonly headers: Readonly<Record<string, string>>;
  readonly credentials?: CredentialSource | undefined;
}

const MAX_REDIRECTS = 3;

export const fieldOf = (headers: IncomingHttpHeaders, name: string): string | undefined => {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
};

/** Sends requests to one origin with this server's credentials; lives as long as its pool of connections. */
export class HttpChannel {
  readonly #options: HttpChannelOptions;

  constructor(options: HttpChannelOptions) {
    this.#options = options;
  }

  /** Any status is an answer. Throws only when there is none. */
  async ask(ask: HttpAsk): Promise<HttpAnswer> {
    const answer = await this.#follow(ask);
    if (answer.status !== 401) {
      return answer;
    }
    const challenge = fieldOf(answer.headers, 'www-authenticate');
    const refreshed = await this.#options.credentials?.refresh?.(challenge, ask.signal);
    if (refreshed !== true) {
      return answer;
    }
    await discard(answer);
    return this.#follow(ask);
  }

  async close(): Promise<void> {
    await this.#options.dispatcher.destroy();
  }

  /** Redirects that keep method and body are followed inside the origin; credentials never leave it. */
  async #follow(ask: HttpAsk): Promise<HttpAnswer> {
    let url = ask.url;
    for (let hops = 0; ; hops += 1) {
      const answer = await this.#once({ ...ask, url });
      const location = fieldOf(answer.headers, 'location');
      const keepsMethod = answer.status === 307 || answer.status === 308;
      if (!keepsMethod || location === undefined || hops === MAX_REDIRECTS || !URL.canParse(location, url.href)) {
        return answer;
      }
      const target = new URL(location, url);
      if (target.origin !== url.origin) {
        return answer;
      }
      await discard(answer);
      url = target;
    }
  }

  async #once(ask: HttpAsk): Promise<HttpAnswer> {
    throwIfAborted(ask.signal, 'not-executed');
    const { dispatcher, headers, credentials } = this.#options;
    const proof = credentials === undefined ? {} : await credentials.headers(ask.signal);
    try {
      const answer = await dispatcher.request({
        origin: ask.url.origin,
        path: `${ask.url.pathname}${ask.url.search}`,
        method: ask.method,
        headers: { ...headers, ...proof, ...ask.headers },
        body: ask.body ?? null,
        signal: ask.signal,
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      return { status: answer.statusCode, headers: answer.headers, body: answer.body };
    } catch (thrown) {
      throw ask.signal.aborted ? abortedError(ask.signal, 'ambiguous') : networkError(thrown, ask.url.host);
    }
  }
}

/** Reads an unwanted body to its end, within reason, so that its connection can be used again. */
export const discard = async (answer: HttpAnswer): Promise<void> => {
  try {
    await answer.body.dump({ limit: 65_536 });
  } catch {
    // The connection is gone; so is the body.
  }
};
