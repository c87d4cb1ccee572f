import { Socket } from 'node:net';
import type { buildConnector } from 'undici';
import { asError } from './http1-error.js';

/** A connection that is being made. */
export class ConnectAttempt {
  #socket: unknown;

  start(connect: buildConnector.connector, target: buildConnector.Options, done: buildConnector.Callback): void {
    try {
      // It gives the socket back at once, though its type keeps that to itself.
      this.#socket = connect(target, done);
    } catch (thrown) {
      queueMicrotask(() => done(asError(thrown), null));
    }
  }

  /** Nobody hears of it any more. */
  giveUp(): void {
    if (this.#socket instanceof Socket) this.#socket.destroy();
  }
}
