import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { Socket, type OnReadOpts } from 'node:net';
import type { Readable } from 'node:stream';
import { keptBytes } from '../read-buffer/kept-bytes.js';
import { lentPlace } from '../read-buffer/lent-place.js';

const READ_BYTES = 64 * 1024;

/** Takes what was read before the place is used again. */
type OutputTaker = (read: Uint8Array) => void;

const takers = new WeakMap<Readable, OutputTaker>();

/** What is read of this output from now on goes to `taker`, if it came from `takeOutput`; otherwise to its listeners, as ever. */
export const takeOutputReads = (output: Readable, taker: OutputTaker): void => {
  takers.set(output, taker);
};

/** All programs are read into one place, and what came is copied at once. */
const onread: OnReadOpts = {
  buffer: lentPlace(READ_BYTES),
  callback(this: Socket, size: number, place: Uint8Array): boolean {
    const read = place.subarray(0, size);
    const taker = takers.get(this);
    // What waits in the stream comes first.
    if (taker === undefined || this.readableLength > 0) return this.push(keptBytes(read));
    taker(read);
    return true;
  },
};

/** Node's own streams have one, but do not tell of it. */
interface WithHandle {
  _handle?: { readonly useUserBuffer?: unknown; reading?: boolean; readStop?(): unknown } | null;
}

type SocketOptions = ConstructorParameters<typeof Socket>[0];

/**
 * The stdout of a child that was just started, read into memory that is used again. Node takes 64 KiB from the allocator
 * for each read, and the allocator keeps what thousands of them leave behind. There is no public way to tell Node otherwise, so
 * the pipe gets another stream; where that is not possible, the stream of the child is returned.
 */
export const takeOutput = (child: ChildProcessWithoutNullStreams): Readable => {
  const { stdout } = child;
  const given = stdout as Readable & WithHandle;
  const handle = given._handle;
  if (!(stdout instanceof Socket) || typeof handle?.useUserBuffer !== 'function') return stdout;
  handle.readStop?.();
  handle.reading = false;
  // Nothing was read yet: that happens in a later turn of the event loop.
  const taken = new Socket({ handle, onread, readable: true, writable: false } as SocketOptions);
  given._handle = null;
  stdout.destroy();
  Object.assign(child, { stdout: taken });
  return taken;
};
