import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { Socket, type OnReadOpts } from 'node:net';
import type { Readable } from 'node:stream';
import { keptBytes } from '../read-buffer/kept-bytes.js';
import { lentPlace } from '../read-buffer/lent-place.js';

const READ_BYTES = 64 * 1024;

/** All programs are read into one place, and what came is copied at once. */
const onread: OnReadOpts = {
  buffer: lentPlace(READ_BYTES),
  callback(this: Socket, size: number, place: Uint8Array): boolean {
    return this.push(keptBytes(place.subarray(0, size)));
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
