import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** How many requests of one connection may wait for the answer before theirs. Hardly any client sends more than one ahead. */
const MAX_WAITING = 100;
/** How much they may take in memory, and those of all connections together: nobody knows yet whose they are. */
const MAX_BYTES = 512 * 1024;
const MAX_BYTES_IN_ALL = 64 * 1024 * 1024;
/** What the objects of a request take beside its texts. */
const OBJECT_BYTES = 2 * 1024;

/** What waits on one connection. */
interface Line {
  count: number;
  bytes: number;
}

/** What Node keeps of a body that nobody reads yet. */
const unreadBytes = ({ headers, readableHighWaterMark }: IncomingMessage): number => {
  if (headers['transfer-encoding'] !== undefined) return readableHighWaterMark;
  return Math.min(Number(headers['content-length'] ?? 0), readableHighWaterMark);
};

const bytesOf = (request: IncomingMessage): number => {
  const { rawHeaders, url = '' } = request;
  return rawHeaders.reduce((sum, { length }) => sum + length, OBJECT_BYTES + url.length + unreadBytes(request));
};

/**
 * Takes the requests of a connection one after the other. An answer that waits behind another one has no connection yet:
 * nothing would tell that its client is gone, or that its key was revoked. Too many of them end the connection.
 */
export const inTurn = (handle: Handle, maxBytesInAll: number = MAX_BYTES_IN_ALL): Handle => {
  const lines = new WeakMap<Socket, Line>();
  let bytesInAll = 0;

  const leave = (line: Line, bytes: number): void => {
    line.bytes -= bytes;
    bytesInAll -= bytes;
  };

  const lineOf = (socket: Socket): Line => {
    const known = lines.get(socket);
    if (known !== undefined) return known;
    const line: Line = { count: 0, bytes: 0 };
    lines.set(socket, line);
    socket.once('close', () => leave(line, line.bytes));
    return line;
  };

  return (request, response) => {
    if (response.socket !== null) {
      handle(request, response);
      return;
    }
    const { socket } = request;
    if (socket.destroyed) return;
    const line = lineOf(socket);
    const bytes = bytesOf(request);
    if (line.count >= MAX_WAITING || line.bytes + bytes > MAX_BYTES || bytesInAll + bytes > maxBytesInAll) {
      socket.destroy();
      return;
    }
    line.count += 1;
    leave(line, -bytes);
    response.once('socket', () => {
      line.count -= 1;
      leave(line, bytes);
      handle(request, response);
    });
  };
};
