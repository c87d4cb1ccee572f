import { connect as connectTcp } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { within } from './deadline.js';
import { Mailbox } from './mailbox.js';
import type { HttpSettings } from './http-exchange.js';
import { portOf } from './port-of.js';

/** A socket on which anything may be written, byte by byte. */
export class ByteConnection {
  readonly connection: number;
  readonly #socket: Duplex;
  readonly #chunks = new Mailbox<Buffer>();
  readonly #settings: HttpSettings;

  constructor(socket: Duplex, settings: HttpSettings) {
    this.connection = settings.transcript.connect();
    this.#socket = socket;
    this.#settings = settings;
    socket.on('data', (chunk: Buffer) => {
      settings.transcript.record(this.connection, 'received', chunk);
      this.#chunks.put(chunk);
    });
    socket.once('close', () => this.#chunks.end('the connection was closed'));
    socket.on('error', () => undefined);
  }

  write(data: string | Uint8Array): void {
    this.#settings.transcript.record(this.connection, 'sent', data);
    this.#socket.write(data);
  }

  get received(): string {
    return Buffer.concat(this.#chunks.items).toString('utf8');
  }

  get closed(): boolean {
    return this.#chunks.ended !== undefined;
  }

  /** Waits until what was received has this shape, or the server closes. */
  async until(pattern: RegExp, ms = this.#settings.deadlineMs): Promise<string> {
    const deadline = { ms, what: `bytes like ${String(pattern)}`, signal: this.#settings.signal };
    await this.#chunks.until(() => (pattern.test(this.received) ? true : undefined), 0, deadline);
    return this.received;
  }

  close(): void {
    this.#socket.destroy();
  }
}

export const openBytes = async (address: string, settings: HttpSettings): Promise<ByteConnection> => {
  const url = new URL(address);
  settings.network?.admit(address);
  const { connect } = settings.network ?? {};
  if (connect !== undefined) return new ByteConnection(connect(portOf(url), url.hostname), settings);
  const lookup = settings.network === undefined ? {} : { lookup: settings.network.lookup };
  const secure = url.protocol === 'https:';
  const port = portOf(url);
  const host = url.hostname.replace(/^\[|\]$/gu, '');
  const socket = secure
    ? connectTls({ host, port, servername: host, ...lookup })
    : connectTcp({ host, port, ...lookup });
  const ready = new Promise<void>((resolve, reject) => {
    socket.once(secure ? 'secureConnect' : 'connect', () => resolve());
    socket.once('error', reject);
  });
  try {
    await within(ready, { ms: settings.deadlineMs, what: `connection to ${url.host}`, signal: settings.signal });
  } catch (error) {
    socket.destroy();
    throw error;
  }
  return new ByteConnection(socket, settings);
};
