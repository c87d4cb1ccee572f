import type { Socket } from 'node:net';
import { openByteServer, type ByteServer } from './byte-server.js';
import { HttpRequestReader, type DoubleRequest } from './http-request-reader.js';
import { playOn, type Play } from './play.js';

/** What the double does with a request that nothing was enqueued for. */
export type Responder = Play | ((request: DoubleRequest) => Play | Promise<Play>);

const NOTHING_LEFT: Play = { status: 500, body: 'The double has no answer left.' };

/**
 * The HTTP layer, replaced byte for byte: a real socket, a real port, and answers that are exactly what the test wrote.
 * Everything above HTTP stays real.
 */
export class HttpDouble implements AsyncDisposable {
  readonly #requests: DoubleRequest[] = [];
  readonly #queue: Responder[] = [];
  #fallback: Responder = NOTHING_LEFT;
  #server: ByteServer | undefined;

  async open(): Promise<this> {
    this.#server = await openByteServer((socket, number) => this.#serve(socket, number));
    return this;
  }

  get url(): string {
    return this.#server?.url ?? '';
  }

  get port(): number {
    return this.#server?.port ?? 0;
  }

  /** Sockets ever accepted. */
  get connections(): number {
    return this.#server?.connections ?? 0;
  }

  get openConnections(): number {
    return this.#server?.openConnections ?? 0;
  }

  get requests(): readonly DoubleRequest[] {
    return this.#requests;
  }

  /** The answers to the next requests, one each, in order. */
  next(...responders: readonly Responder[]): this {
    this.#queue.push(...responders);
    return this;
  }

  /** The answer to every request that no `next` is left for. */
  always(responder: Responder): this {
    this.#fallback = responder;
    return this;
  }

  async close(): Promise<void> {
    await this.#server?.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #serve(socket: Socket, number: number): void {
    const reader = new HttpRequestReader(number);
    let last: Promise<void> = Promise.resolve();
    socket.on('data', (chunk: Buffer) => {
      for (const request of reader.take(chunk)) {
        this.#requests.push(request);
        const responder = this.#queue.shift() ?? this.#fallback;
        // Answers leave a socket in the order of its requests.
        last = last.then(() => this.#answer(socket, request, responder)).catch(() => void socket.destroy());
      }
    });
  }

  async #answer(socket: Socket, request: DoubleRequest, responder: Responder): Promise<void> {
    await playOn(socket, typeof responder === 'function' ? await responder(request) : responder);
  }
}

/** `await using double = await httpDouble()` */
export const httpDouble = (): Promise<HttpDouble> => new HttpDouble().open();
