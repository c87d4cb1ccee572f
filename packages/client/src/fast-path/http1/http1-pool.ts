import type { Socket } from 'node:net';
import { buildConnector } from 'undici';
import { NETWORK_DEFAULTS, type NetworkOptions } from '../../network/http-dispatcher.js';
import { Chain } from './chain.js';
import { ConnectAttempt } from './connect-attempt.js';
import { Http1Connection, type ConnectionOwner } from './http1-connection.js';
import { poolDestroyed } from './http1-error.js';
import { Http1Exchange } from './http1-exchange.js';
import type { Http1Handler, Http1Request } from './http1-handler.js';
import { IdleConnections } from './idle-connections.js';
import { RequestWriter } from './request-writer.js';
import { readInOnePlace } from './socket-reads.js';

export interface Http1PoolOptions {
  readonly url: URL;
  /** No proxy: this goes straight to the server. */
  readonly network: Omit<NetworkOptions, 'proxy' | 'noProxy'>;
  /** Opens a connection; over the network when left out. */
  readonly connect?: buildConnector.connector | undefined;
}

const connectorOf = ({ connectTimeoutMs, ca, lookup }: NetworkOptions): buildConnector.connector =>
  buildConnector({
    timeout: connectTimeoutMs ?? NETWORK_DEFAULTS.connectTimeoutMs,
    allowH2: false,
    onread: readInOnePlace(),
    ...(ca === undefined ? {} : { ca: typeof ca === 'string' ? ca : [...ca] }),
    ...(lookup === undefined ? {} : { lookup }),
  });

const remove = <Member>(members: Member[], member: Member): void => {
  const index = members.indexOf(member);
  if (index !== -1) members.splice(index, 1);
};

/** POSTs to one origin over HTTP/1.1, for the way where every microsecond counts: connections are kept, nothing else is. */
export class Http1Pool implements ConnectionOwner {
  readonly writer = new RequestWriter();
  readonly #target: buildConnector.Options;
  readonly #connect: buildConnector.connector;
  readonly #limit: number;
  readonly #idle: IdleConnections;
  readonly #open: Http1Connection[] = [];
  readonly #attempts: ConnectAttempt[] = [];
  readonly #waiting = new Chain<Http1Exchange>();
  #waitingCount = 0;
  #servesSoon = false;
  #destroyed = false;

  constructor({ url, network, connect = connectorOf(network) }: Http1PoolOptions) {
    const { protocol, host, port } = url;
    this.#target = { protocol, host, port, hostname: url.hostname.replaceAll(/^\[|\]$/gu, '') };
    this.#connect = connect;
    this.#limit = network.connections ?? NETWORK_DEFAULTS.connections;
    this.#idle = new IdleConnections(network.keepAliveMs ?? NETWORK_DEFAULTS.keepAliveMs);
  }

  post(request: Http1Request, handler: Http1Handler): void {
    const exchange = new Http1Exchange(request, handler);
    if (this.#destroyed) {
      exchange.fail(undefined, poolDestroyed(0));
      return;
    }
    this.#waiting.append(exchange);
    this.#waitingCount += 1;
    this.#serveSoon();
  }

  /** Ends all requests, in flight or waiting; resolves when all connections are closed. */
  async destroy(): Promise<void> {
    this.#destroyed = true;
    this.#idle.stop();
    const open = [...this.#open];
    const closed = open.map((connection) => connection.whenClosed());
    for (const attempt of this.#attempts.splice(0)) attempt.giveUp();
    for (const connection of open) connection.fail(poolDestroyed(connection.bytesWritten));
    for (let next = this.#nextWaiting(); next !== undefined; next = this.#nextWaiting()) {
      next.fail(undefined, poolDestroyed(0));
    }
    await Promise.all(closed);
  }

  free(connection: Http1Connection, keepAliveSeconds: number | undefined): void {
    if (this.#destroyed) connection.close();
    else this.#idle.add(connection, keepAliveSeconds);
  }

  served(): void {
    if (this.#waitingCount > 0) this.#serveSoon();
  }

  closedAfterAnswer(connection: Http1Connection): void {
    this.#idle.closedByServer(connection);
  }

  lost(connection: Http1Connection): void {
    remove(this.#open, connection);
    this.#idle.remove(connection);
    this.served();
  }

  /**
   * After everything that can be read now: what is written in one go finds the server awake, which costs half, and a
   * connection that the server has closed by then is not taken for a good one.
   */
  #serveSoon(): void {
    if (this.#servesSoon) return;
    this.#servesSoon = true;
    setImmediate(() => {
      this.#servesSoon = false;
      this.#serve();
    });
  }

  #serve(): void {
    while (this.#waitingCount > 0) {
      const connection = this.#idle.take();
      if (connection === undefined) break;
      const exchange = this.#nextWaiting();
      if (exchange !== undefined) connection.start(exchange);
    }
    this.#connectMore();
  }

  #nextWaiting(): Http1Exchange | undefined {
    const { first } = this.#waiting;
    if (first === undefined) return undefined;
    this.#waiting.remove(first);
    this.#waitingCount -= 1;
    return first;
  }

  /** One attempt for everybody who waits, within the limit. Who comes first takes the connection that is ready first. */
  #connectMore(): void {
    while (
      !this.#destroyed &&
      this.#attempts.length < this.#waitingCount &&
      this.#attempts.length + this.#open.length < this.#limit
    ) {
      this.#connectOnce();
    }
  }

  #connectOnce(): void {
    const attempt = new ConnectAttempt();
    this.#attempts.push(attempt);
    attempt.start(this.#connect, this.#target, (error, socket) => {
      remove(this.#attempts, attempt);
      if (this.#destroyed) socket?.destroy();
      else if (error === null) this.#connected(socket);
      else this.#connectFailed(error);
    });
  }

  #connected(socket: Socket): void {
    const connection = new Http1Connection(socket, this);
    this.#open.push(connection);
    const first = this.#nextWaiting();
    if (first === undefined) this.#idle.add(connection, undefined);
    else connection.start(first);
    this.served();
  }

  /** If more requests wait than connections are being opened, the first one waiting fails. */
  #connectFailed(error: Error): void {
    if (this.#waitingCount > this.#attempts.length) this.#nextWaiting()?.fail(undefined, error);
    this.#connectMore();
  }
}
