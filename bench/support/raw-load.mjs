// Calls from several callers that each wait for their answer, over connections that cost as little as Node allows: what is sent
// is made once, and of an answer only its status and its length are read. Beside a hub on the same cores, the load then takes
// a small part of them.
import { connect } from 'node:net';

const HEAD_END = '\r\n\r\n';
const LENGTH = /\r\ncontent-length: *(\d+)/iu;

/** One connection, with one request at a time. */
export class RawConnection {
  #socket;
  #received = Buffer.alloc(0);
  #settle;

  constructor(url) {
    const { hostname, port } = new URL(url);
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true });
    this.#socket.on('data', (chunk) => this.#take(chunk));
    this.#socket.on('error', () => this.#fail());
    this.#socket.on('close', () => this.#fail());
  }

  /** @returns the status and the head of the answer; status 0 when the connection ended */
  send(bytes) {
    return new Promise((resolve) => {
      this.#settle = resolve;
      if (this.#socket.destroyed) this.#fail();
      else this.#socket.write(bytes);
    });
  }

  close() {
    this.#socket.destroy();
  }

  #take(chunk) {
    const bytes = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const end = bytes.indexOf(HEAD_END);
    const head = end < 0 ? '' : bytes.latin1Slice(0, end);
    const length = end < 0 ? Infinity : end + HEAD_END.length + Number(LENGTH.exec(head)?.[1] ?? 0);
    if (bytes.length < length) {
      this.#received = bytes;
      return;
    }
    this.#received = bytes.subarray(length);
    this.#end({ status: Number(head.slice(9, 12)), head });
  }

  #fail() {
    this.#end({ status: 0, head: '' });
  }

  #end(answer) {
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.(answer);
  }
}

/** A POST as it is sent. */
export const rawPost = (url, headers, body) => {
  const { host, pathname } = new URL(url);
  const fields = Object.entries({ host, ...headers, 'content-length': Buffer.byteLength(body) });
  return Buffer.from(
    `POST ${pathname} HTTP/1.1\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
  );
};

/** One caller for each connection, with a request of its own, for so many seconds. */
export const rawLoad = async ({ connections, requests, seconds }) => {
  const times = [];
  let failed = 0;
  const began = performance.now();
  const end = began + seconds * 1000;
  const call = async (connection, index) => {
    while (performance.now() < end) {
      const sentAt = performance.now();
      const { status } = await connection.send(requests[index]);
      if (status === 200) times.push(performance.now() - sentAt);
      else failed += 1;
      if (status === 0) return;
    }
  };
  await Promise.all(connections.map(call));
  const tookMs = performance.now() - began;
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  return { calls: times.length, failed, perSecond: times.length / (tookMs / 1000), p50: at(0.5), p99: at(0.99) };
};
