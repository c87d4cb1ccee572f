import { Duplex } from 'node:stream';
import type { Socket } from 'node:net';

/** One end of a connection without a network. What is written comes out at the other end in the next turn. */
class MemorySocket extends Duplex {
  other: MemorySocket | undefined;
  bytesWritten = 0;
  /** Does it keep the process alive? */
  isHeld = true;

  constructor() {
    super({ allowHalfOpen: false });
  }

  ref(): this {
    this.isHeld = true;
    return this;
  }

  unref(): this {
    this.isHeld = false;
    return this;
  }

  override _read(): void {
    // The other end pushes.
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.bytesWritten += chunk.length;
    setImmediate(() => {
      if (this.other?.destroyed === false) this.other.push(chunk);
      done();
    });
  }

  override _final(done: () => void): void {
    setImmediate(() => {
      if (this.other?.destroyed === false) this.other.push(null);
      done();
    });
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const { other } = this;
    this.other = undefined;
    setImmediate(() => {
      if (other?.destroyed === false) other.destroy();
    });
    done(error);
  }
}

export interface MemoryConnection {
  /** As far as the code under test uses it. */
  readonly client: Socket & { readonly isHeld: boolean };
  readonly server: Socket;
}

export const memoryConnection = (): MemoryConnection => {
  const [client, server] = [new MemorySocket(), new MemorySocket()];
  client.other = server;
  server.other = client;
  server.on('error', () => undefined);
  return {
    client: client as unknown as MemoryConnection['client'],
    server: server as unknown as Socket,
  };
};
