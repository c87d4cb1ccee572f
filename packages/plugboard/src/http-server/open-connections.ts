import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Chain, type ChainLink } from '@plugboard/client';

/** The connections of a server, and which of them have a request in flight. */
export interface OpenConnections {
  /** A request began; the connection counts as busy until its answer is over. */
  noteRequest(response: ServerResponse): void;
  /** The answers in flight. */
  answers(): Iterable<ServerResponse>;
  /** Closes connections that have no request in flight and have sent nothing since the last time this was called. */
  closeQuiet(): void;
}

/** An answer in flight. */
class OpenAnswer implements ChainLink<OpenAnswer> {
  before: OpenAnswer | undefined = undefined;
  after: OpenAnswer | undefined = undefined;
  readonly response: ServerResponse;

  constructor(response: ServerResponse) {
    this.response = response;
  }
}

/**
 * Node counts a connection that has not sent a whole request yet as busy, so its closeIdleConnections() leaves it open.
 */
export const trackConnections = (server: Server): OpenConnections => {
  const underWay = new Map<Socket, number>();
  // Not a Set: after the first full collection it keeps each answer alive until the next one.
  const answers = new Chain<OpenAnswer>();
  const readBefore = new WeakMap<Socket, number>();
  server.on('connection', (socket) => {
    underWay.set(socket, 0);
    socket.once('close', () => underWay.delete(socket));
  });
  const add = (socket: Socket, count: number): void => {
    const now = underWay.get(socket);
    if (now !== undefined) underWay.set(socket, now + count);
  };
  return {
    noteRequest(response) {
      const { socket } = response;
      if (socket === null) return;
      add(socket, 1);
      const answer = new OpenAnswer(response);
      answers.append(answer);
      response.once('close', () => {
        answers.remove(answer);
        add(socket, -1);
      });
    },
    *answers() {
      for (let answer = answers.first; answer !== undefined; answer = answer.after) yield answer.response;
    },
    closeQuiet() {
      for (const [socket, requests] of underWay) {
        if (requests > 0) continue;
        // A request may be on its way in: it gets the time to arrive, and an answer that says that the hub stops.
        if (readBefore.get(socket) === socket.bytesRead) socket.destroy();
        else readBefore.set(socket, socket.bytesRead);
      }
    },
  };
};
