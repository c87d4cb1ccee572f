import { randomUUID } from 'node:crypto';
import { createServer, type Socket } from 'node:net';
import { readLines } from '../../transport/line-reader.js';
import { FaultBoard } from '../board/fault-board.js';
import type { ProxyFault } from '../board/proxy-fault.js';
import { listen } from '../tcp/listen.js';
import type { ControlEvent, ControlOrder } from './control-message.js';

/** Commands the proxies in other processes, and collects what they saw. */
export interface FaultControl extends AsyncDisposable {
  /** What a proxy is given to find this control. */
  readonly address: string;
  readonly board: FaultBoard;
  /** Resolves when every connected proxy has armed them. */
  arm(faults: readonly ProxyFault[]): Promise<void>;
  close(): Promise<void>;
}

const ARM_MS = 5_000;

interface Peer {
  readonly socket: Socket;
  readonly waiting: Map<number, () => void>;
}

export const openFaultControl = async (): Promise<FaultControl> => {
  const token = randomUUID();
  const board = new FaultBoard();
  const peers = new Set<Peer>();
  let [order, current]: [number, readonly ProxyFault[]] = [0, []];
  const send = ({ socket }: Peer, message: ControlOrder): void => void socket.write(`${JSON.stringify(message)}\n`);
  const receive = (peer: Peer, event: ControlEvent): void => {
    if ('done' in event) peer.waiting.get(event.done)?.();
    else if ('strike' in event) board.note(event.strike);
    else if ('delivered' in event) board.deliver(event.delivered);
  };
  const serve = async (socket: Socket): Promise<void> => {
    const peer: Peer = { socket, waiting: new Map() };
    for await (const line of readLines(socket)) {
      const event = JSON.parse(line) as ControlEvent;
      if (peers.has(peer)) {
        receive(peer, event);
        continue;
      }
      if (!('token' in event) || event.token !== token) break;
      peers.add(peer);
      send(peer, { order, faults: current });
    }
    peers.delete(peer);
    for (const done of peer.waiting.values()) done();
  };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
    void serve(socket)
      .catch(() => undefined)
      .then(() => socket.destroy());
  });
  const port = await listen(server, 0, '127.0.0.1');
  const armed = (peer: Peer, number: number): Promise<void> =>
    new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(late);
        peer.waiting.delete(number);
        resolve();
      };
      const late = setTimeout(done, ARM_MS);
      peer.waiting.set(number, done);
    });
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
  };
  return {
    address: `127.0.0.1:${port}/${token}`,
    board,
    arm: async (faults) => {
      order += 1;
      current = faults;
      const number = order;
      await Promise.all(
        [...peers].map((peer) => {
          const done = armed(peer, number);
          send(peer, { order: number, faults });
          return done;
        }),
      );
    },
    close,
    [Symbol.asyncDispose]: close,
  };
};
