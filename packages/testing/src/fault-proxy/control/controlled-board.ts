import { connect } from 'node:net';
import { readLines } from '../../transport/line-reader.js';
import { FaultBoard } from '../board/fault-board.js';
import type { ControlEvent, ControlOrder } from './control-message.js';

export interface ControlledBoard {
  readonly board: FaultBoard;
  close(): void;
}

/** A board that a control in another process commands; it resolves when the first order was carried out. */
export const openControlledBoard = (address: string): Promise<ControlledBoard> => {
  const [place = '', token = ''] = address.split('/');
  const [host = '127.0.0.1', port = '0'] = place.split(':');
  const socket = connect({ host, port: Number(port), noDelay: true });
  const send = (event: ControlEvent): void => void socket.write(`${JSON.stringify(event)}\n`);
  const board = new FaultBoard({
    onStrike: (strike) => send({ strike }),
    onDelivered: (delivered) => send({ delivered }),
  });
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.once('connect', () => send({ token, pid: process.pid }));
    const obey = async (): Promise<void> => {
      for await (const line of readLines(socket)) {
        const { order, faults } = JSON.parse(line) as ControlOrder;
        board.arm(faults);
        send({ done: order });
        resolve({ board, close: () => void socket.destroy() });
      }
    };
    void obey()
      .catch(() => undefined)
      .then(() => reject(new Error('The control of the fault proxy closed the connection.')));
  });
};
