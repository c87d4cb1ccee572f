import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** How many requests of one connection may wait for the answer before theirs. Hardly any client sends more than one ahead. */
const MAX_WAITING = 100;

/**
 * Takes the requests of a connection one after the other. An answer that waits behind another one has no connection yet:
 * nothing would tell that its client is gone, or that its key was revoked. Too many of them end the connection.
 */
export const inTurn = (handle: Handle): Handle => {
  const waiting = new WeakMap<Socket, number>();
  return (request, response) => {
    if (response.socket !== null) {
      handle(request, response);
      return;
    }
    const { socket } = request;
    const count = (waiting.get(socket) ?? 0) + 1;
    if (count > MAX_WAITING) {
      socket.destroy();
      return;
    }
    waiting.set(socket, count);
    response.once('socket', () => {
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
      handle(request, response);
    });
  };
};
