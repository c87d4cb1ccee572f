import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { readSync } from 'node:fs';
import type { Writable } from 'node:stream';

/**
 * Takes the stdin of a child away from Node, which would close it before we can check whether it was read. The
 * caller destroys it.
 */
export const takeInput = (child: ChildProcessWithoutNullStreams): Writable => {
  const { stdin } = child;
  Object.assign(child, { stdin: null });
  return stdin;
};

const descriptorOf = (stdin: Writable): number | undefined => {
  const { _handle: handle } = stdin as Writable & { readonly _handle?: { readonly fd?: unknown } | null };
  return typeof handle?.fd === 'number' && handle.fd >= 0 ? handle.fd : undefined;
};

/**
 * Did a child that is gone leave unread what was written to its stdin? The system resets a socket whose other end was
 * closed with bytes in it. Undefined where that cannot be found out.
 */
export const wasInputUnread = (stdin: Writable): boolean | undefined => {
  const descriptor = descriptorOf(stdin);
  if (descriptor === undefined) return undefined;
  try {
    readSync(descriptor, Buffer.alloc(1));
    return false;
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    return code === 'ECONNRESET' ? true : undefined;
  }
};
