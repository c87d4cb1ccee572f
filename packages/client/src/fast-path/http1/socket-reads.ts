import type { Socket } from 'node:net';
import { keptBytes } from '../../read-buffer/kept-bytes.js';
import { lentPlace } from '../../read-buffer/lent-place.js';

const READ_BYTES = 64 * 1024;

/** Takes what was read before the place is used again. False stops the reading until the socket is resumed. */
type ReadTaker = (read: Buffer) => boolean;

const takers = new WeakMap<Socket, ReadTaker>();

/** The reads of a socket that was opened with `readInOnePlace` go to `taker`, and no longer through its stream. */
export const takeReads = (socket: Socket, taker: ReadTaker): void => {
  takers.set(socket, taker);
};

/** All sockets read into one place: without it each read takes 64 KiB from the allocator. */
export const readInOnePlace = () => ({
  buffer: lentPlace(READ_BYTES),
  callback(this: Socket, size: number, place: Uint8Array): boolean {
    const read = Buffer.from(place.buffer as ArrayBuffer, place.byteOffset, size);
    return takers.get(this)?.(read) ?? this.push(keptBytes(read));
  },
});
