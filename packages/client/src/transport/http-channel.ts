import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { nativeSignal, settledWithin } from '@plugboard/base';
import type { Dispatcher } from 'undici';
import type { Http1Pool } from '../fast-path/http1/http1-pool.js';
import type { SentPost } from './claimed-request.js';
import { waitWithSignal } from '../deadline/wait-with-signal.js';
import { abortedError, throwIfAborted } from '../error/aborted-error.js';
import { networkError } from '../error/network-error.js';
import { toClientError } from '../error/to-client-error.js';
import type { Room } from '../read-buffer/byte-budget.js';
import { bearerChallenge } from '../error/challenge.js';
import type { Secret } from '@plugboard/contract';
import { headerFields } from './config-headers.js';
import type { CredentialRefusal, CredentialSource } from './credential-source.js';
import { Http1Posts } from './http1-post.js';

export interface HttpAsk {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Written only when it is sent. */
  readonly body?: (() => string) | undefined;
  readonly signal: AbortSignal;
  /** The id of the request in the body, where its answer comes soon. */
  readonly id?: number | undefined;
  /** Bytes came of an answer that is given as a whole. */
  readonly onActivity?: (() => void) | undefined;
  /** The request is on its way already: its answer is taken instead of sending it. */
  readonly underWay?: SentPost | undefined;
}

/** A body that can be read, or read away. */
export type AnswerBody = Readable & {
  dump(options: { readonly limit: number }): Promise<void>;
  /** Gives its bytes to `taker` and not as `data` while it flows; they may be lent. What waits in it comes as `data`. */
  lendTo?(taker: ((chunk: Buffer) => void) | undefined): void;
};

export interface HttpAnswer {
  /** Counts what is kept of the body while it is read. */
  readonly room?: (() => Room) | undefined;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: AnswerBody;
  /** The whole body, where it is there already. */
  readonly whole?: Buffer | undefined;
}

export interface HttpChannelOptions {
  readonly dispatcher: Dispatcher;
  /** Makes another like it, for when its connections cannot be trusted any more. */
  readonly renewDispatcher?: (() => Dispatcher) | undefined;
  /** A shorter way to the same server, where there is one. */
  readonly http1?: Http1Pool | undefined;
  readonly headers: Readonly<Record<string, Secret>>;
  readonly credentials?: CredentialSource | undefined;
  /** Counts what is kept of answers while they are read. */
  readonly room?: (() => Room) | undefined;
}

const CLOSE_MS = 1_000;
const MAX_REDIRECTS = 3;
const DISCARD_BYTES = 64 * 1024;
const DISCARD_MS = 1_000;

export const fieldOf = (headers: IncomingHttpHeaders, name: string): string | undefined => {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
};

export interface SentAnswer {
  readonly answer: HttpAnswer;
  /** The fields of the credential source that the request carried. */
  readonly sent: Readonly<Record<string, string>>;
}

const NO_PROOF: SentAnswer['sent'] = {};

type RenewalKind = 'refresh' | 'step-up';

interface RenewalState {
  readonly tried: Set<RenewalKind>;
  readonly signal: AbortSignal;
}

const proofOf = async (credentials: CredentialSource, signal: AbortSignal): Promise<SentAnswer['sent']> => {
  try {
    // A source may be a program's own, which hands the signal to anything.
    const proof = await credentials.headers(nativeSignal(signal));
    throwIfAborted(signal, 'not-executed');
    return proof;
  } catch (thrown) {
    throw signal.aborted ? abortedError(signal, 'not-executed') : toClientError(thrown);
  }
};

/** Is this an answer that other credentials could change? A 403 only when it says so. */
const refusalOf = (answer: HttpAnswer, sent: SentAnswer['sent']): CredentialRefusal | undefined => {
  const { status } = answer;
  if (status !== 401 && status !== 403) return undefined;
  const challenge = fieldOf(answer.headers, 'www-authenticate');
  return status === 401 || bearerChallenge(challenge)?.error === 'insufficient_scope'
    ? { status, challenge, sent }
    : undefined;
};

/** What credentials are believed to be for, before they are asked again: a token may have been replaced. */
const PROOF_MS = 1000;

/** Sends requests to one origin with this server's credentials; lives as long as its pool of connections. */
export class HttpChannel {
  readonly #options: HttpChannelOptions;
  #dispatcher: Dispatcher;
  #isUsed = false;
  /** Those that finish what was in progress on them. */
  readonly #retired = new Set<Dispatcher>();
  readonly #posts: Http1Posts | undefined;
  #recent: { readonly proof: SentAnswer['sent']; readonly at: number } | undefined;

  constructor(options: HttpChannelOptions) {
    this.#options = options;
    this.#dispatcher = options.dispatcher;
    this.#posts = options.http1 && new Http1Posts(options.http1);
  }

  get dispatcher(): Dispatcher {
    this.#isUsed = true;
    return this.#dispatcher;
  }

  /**
   * An answer came that nobody had asked for: what follows it on the same connection would reach the wrong caller. No
   * connection of now is used for another request; what is in progress goes on.
   */
  distrust(): void {
    const dispatcher = this.#isUsed ? this.#options.renewDispatcher?.() : undefined;
    if (dispatcher === undefined) return;
    this.#isUsed = false;
    const old = this.#dispatcher;
    this.#dispatcher = dispatcher;
    this.#retired.add(old);
    void old
      .close()
      .catch(() => undefined)
      .finally(() => this.#retired.delete(old));
  }

  get room(): HttpChannelOptions['room'] {
    return this.#options.room;
  }

  get http1(): Http1Pool | undefined {
    return this.#options.http1;
  }

  /** The fields that every request carries. */
  get fields(): Readonly<Record<string, string>> {
    return headerFields(this.#options.headers);
  }

  /** The fields of the credentials, if they were asked for a moment ago. */
  recentProof(): SentAnswer['sent'] | undefined {
    if (this.#options.credentials === undefined) return NO_PROOF;
    return this.#recent !== undefined && performance.now() - this.#recent.at < PROOF_MS
      ? this.#recent.proof
      : undefined;
  }

  async proof(signal: AbortSignal): Promise<SentAnswer['sent']> {
    const { credentials } = this.#options;
    if (credentials === undefined) return NO_PROOF;
    const proof = await proofOf(credentials, signal);
    // The same object for the same fields: others derive something from it.
    const known = this.#recent?.proof;
    const same = known !== undefined && JSON.stringify(known) === JSON.stringify(proof);
    this.#recent = { proof: same ? known : proof, at: performance.now() };
    return this.#recent.proof;
  }

  /** Any status is an answer. Throws only when there is none, or when the credentials say why there can be none. */
  async ask(ask: HttpAsk): Promise<HttpAnswer> {
    const tried = new Set<RenewalKind>();
    for (;;) {
      const { answer, sent } = await this.#follow(ask);
      // A goodbye is not worth a login.
      const refusal = ask.method === 'DELETE' ? undefined : refusalOf(answer, sent);
      if (refusal !== undefined) this.#recent = undefined;
      if (refusal === undefined || !(await this.#renewed(answer, refusal, { tried, signal: ask.signal }))) {
        return answer;
      }
      await discard(answer);
    }
  }

  async close(): Promise<void> {
    const dispatchers = [this.#dispatcher, ...this.#retired];
    const closed = Promise.all([
      ...dispatchers.map((dispatcher) => dispatcher.destroy()),
      this.#options.http1?.destroy(),
    ]);
    // A dispatcher behind a proxy does not settle while a tunnel is being opened that fails.
    await settledWithin(
      CLOSE_MS,
      closed.catch(() => undefined),
    );
  }

  /** Redirects that keep method and body are followed inside the origin; credentials never leave it. */
  async #follow(ask: HttpAsk): Promise<SentAnswer> {
    let url = ask.url;
    for (let hops = 0; ; hops += 1) {
      const sentAnswer = await this.#once({ ...ask, url });
      const { answer } = sentAnswer;
      const location = fieldOf(answer.headers, 'location');
      const keepsMethod = answer.status === 307 || answer.status === 308;
      if (!keepsMethod || location === undefined || hops === MAX_REDIRECTS || !URL.canParse(location, url.href)) {
        return sentAnswer;
      }
      const target = new URL(location, url);
      if (target.origin !== url.origin) return sentAnswer;
      await discard(answer);
      url = target;
    }
  }

  /** Each kind of renewal is tried once for one request; then the source may say what is wrong. */
  async #renewed(answer: HttpAnswer, refusal: CredentialRefusal, state: RenewalState): Promise<boolean> {
    const { credentials } = this.#options;
    const { tried } = state;
    const signal = nativeSignal(state.signal);
    const kind: RenewalKind = refusal.status === 401 ? 'refresh' : 'step-up';
    try {
      if (tried.has(kind)) {
        await credentials?.rejected?.(refusal, signal);
        return false;
      }
      tried.add(kind);
      const renewed =
        kind === 'refresh'
          ? await credentials?.refresh?.(refusal.challenge, signal, refusal)
          : await credentials?.stepUp?.(refusal, signal);
      return renewed === true;
    } catch (thrown) {
      await discard(answer);
      throw signal.aborted ? abortedError(signal, 'not-executed') : toClientError(thrown);
    }
  }

  async #once(ask: HttpAsk): Promise<SentAnswer> {
    const underWay = ask.underWay?.claim(ask.signal);
    if (underWay !== undefined) {
      const { sent, answer } = await underWay;
      return { sent, answer: { ...answer, room: this.#options.room } };
    }
    throwIfAborted(ask.signal, 'not-executed');
    const proof = this.recentProof() ?? (await this.proof(ask.signal));
    const headers = Object.assign({}, this.fields, proof, ask.headers);
    const { id, url, signal, onActivity, body } = ask;
    if (id !== undefined && body !== undefined) {
      const { room } = this.#options;
      const answer = this.#posts?.post({ id, url, headers, signal, onActivity, room, body: body() });
      if (answer !== undefined) return { sent: proof, answer: await answer };
    }
    try {
      const asked = this.dispatcher.request({
        origin: ask.url.origin,
        path: `${ask.url.pathname}${ask.url.search}`,
        method: ask.method,
        headers,
        body: ask.body?.() ?? null,
        // The dispatcher may be a program's own.
        signal: nativeSignal(ask.signal),
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      // Behind a proxy the library does not look at the signal before the tunnel is open.
      const answer = await (this.#options.http1 === undefined ? waitWithSignal(asked, ask.signal, 'ambiguous') : asked);
      return {
        sent: proof,
        answer: { status: answer.statusCode, headers: answer.headers, body: answer.body, room: this.#options.room },
      };
    } catch (thrown) {
      throw ask.signal.aborted ? abortedError(ask.signal, 'ambiguous') : networkError(thrown, ask.url.host);
    }
  }
}

/** Reads an unwanted body to its end, within reason, so that its connection can be used again. */
export const discard = async ({ body }: HttpAnswer): Promise<void> => {
  // A server that does not end it keeps nobody waiting.
  const timer = setTimeout(() => body.on('error', () => undefined).destroy(), DISCARD_MS);
  try {
    await body.dump({ limit: DISCARD_BYTES });
  } catch {
    // The connection is gone; so is the body.
  } finally {
    clearTimeout(timer);
  }
};
