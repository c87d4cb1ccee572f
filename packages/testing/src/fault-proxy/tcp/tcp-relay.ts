import { connect, createServer, type Socket } from 'node:net';
import type { FaultBoard } from '../board/fault-board.js';
import { CONNECTION, SHAPING, type ProxyFault } from '../board/proxy-fault.js';
import { listen } from './listen.js';
import { handOn, pace } from './pace.js';

export interface TcpRelay extends AsyncDisposable {
  readonly port: number;
  close(): Promise<void>;
}

export interface TcpRelayOptions {
  readonly board: FaultBoard;
  readonly target: { readonly host: string; readonly port: number };
  readonly port?: number;
  readonly host?: string;
}

/** How much of the last bytes is kept, for a text that two chunks share. */
const TAIL = 512;

/** One connection of a client, and the one to the server that belongs to it. */
class Pair {
  readonly #board: FaultBoard;
  readonly #down: Socket;
  readonly #up: Socket;
  readonly #ended = new AbortController();
  #tail = '';
  #isBlack = false;
  /** Waits for the first bytes of the answer. */
  #onAnswer: ProxyFault | undefined;
  #towards = { server: Promise.resolve(), client: Promise.resolve() };

  constructor(board: FaultBoard, down: Socket, up: Socket) {
    this.#board = board;
    this.#down = down;
    this.#up = up;
    for (const [socket, other] of [
      [down, up],
      [up, down],
    ] as const) {
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        this.#ended.abort();
        if (!this.#isBlack) other.destroy();
      });
    }
    down.on('data', (chunk: Buffer) => this.#fromClient(chunk));
    up.on('data', (chunk: Buffer) => this.#fromServer(chunk));
    up.once('end', () => this.#queue('client', () => void (this.#isBlack || this.#down.end())));
    down.once('end', () => this.#queue('server', () => void (this.#isBlack || this.#up.end())));
  }

  #fromClient(chunk: Buffer): void {
    if (this.#isBlack) return;
    const text = this.#tail + chunk.toString('latin1');
    this.#tail = text.slice(-TAIL);
    const before = this.#board.take(text, 'request', CONNECTION);
    if (before !== undefined) return this.#strike(before);
    if (this.#onAnswer === undefined && this.#board.concerns(text, CONNECTION)) {
      this.#onAnswer = this.#board.take(text, 'response', CONNECTION);
      if (this.#onAnswer !== undefined) this.#tail = '';
    }
    this.#pass('server', chunk);
  }

  #fromServer(chunk: Buffer): void {
    if (this.#isBlack) return;
    const fault = this.#onAnswer;
    if (fault === undefined) return this.#pass('client', chunk);
    this.#onAnswer = undefined;
    if (fault.kind === 'reset') this.#down.write(chunk.subarray(0, chunk.length >> 1));
    // What was written must leave before the connection is reset.
    if (fault.kind === 'reset') setTimeout(() => this.#strike(fault), 20).unref();
    else this.#strike(fault);
  }

  #strike({ kind }: ProxyFault): void {
    if (kind === 'reset') {
      this.#isBlack = true;
      this.#down.resetAndDestroy();
      this.#up.destroy();
    } else if (kind === 'half-close') {
      // The client sees the end of the stream; what it still sends is read and dropped.
      this.#isBlack = true;
      this.#down.end();
      this.#up.destroy();
    } else {
      this.#isBlack = true;
      this.#down.once('close', () => this.#up.destroy());
    }
  }

  #pass(towards: 'server' | 'client', chunk: Buffer): void {
    const [from, to] = towards === 'server' ? [this.#down, this.#up] : [this.#up, this.#down];
    const shaping = this.#board.shaping(SHAPING);
    const pieces = pace(chunk, shaping, this.#board.random);
    for (const { kind } of shaping) this.#board.note({ message: 0, kind, phase: 'response' });
    this.#queue(towards, async () => {
      from.pause();
      await handOn(
        pieces,
        (bytes) => {
          if (this.#isBlack || !to.writable) return false;
          to.write(bytes);
          return true;
        },
        this.#ended.signal,
      );
      from.resume();
    });
  }

  /** Keeps the order of what goes in one direction. */
  #queue(towards: 'server' | 'client', work: () => Promise<void> | void): void {
    this.#towards[towards] = this.#towards[towards].then(work);
  }
}

/** Passes bytes on to a server, with the faults of connections on the way. */
export const openTcpRelay = async ({
  board,
  target,
  port = 0,
  host = '127.0.0.1',
}: TcpRelayOptions): Promise<TcpRelay> => {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    return socket;
  };
  const server = createServer({ allowHalfOpen: true }, (down) => {
    const up = keep(connect({ ...target, allowHalfOpen: true }));
    void new Pair(board, keep(down), up);
  });
  const listening = await listen(server, port, host);
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
  };
  return { port: listening, close, [Symbol.asyncDispose]: close };
};
