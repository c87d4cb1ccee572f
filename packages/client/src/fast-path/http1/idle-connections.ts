import type { Http1Connection } from './http1-connection.js';

/** Servers that promise more are not believed. */
const MAX_KEEP_ALIVE_MS = 600_000;
/** A server closes its side at the end of that time: a request must not be on its way by then. */
const MARGIN_MS = 1000;
const MAX_SWEEP_MS = 1000;
/** A server that closes a connection sooner after its first answer never meant to keep it. */
const SUDDEN_MS = 100;
/** For so long its connections are not kept: a restart can look the same. */
const DISTRUST_MS = 60_000;

/** Connections that wait for their next request. The one used last is used first, so that the others can grow old. */
export class IdleConnections {
  readonly #keepAliveMs: number;
  readonly #stack: Http1Connection[] = [];
  #sweeping: NodeJS.Timeout | undefined;
  #distrustUntil = 0;

  constructor(keepAliveMs: number) {
    this.#keepAliveMs = keepAliveMs;
  }

  add(connection: Http1Connection, keepAliveSeconds: number | undefined): void {
    const keepMs =
      keepAliveSeconds === undefined
        ? this.#keepAliveMs
        : Math.min(keepAliveSeconds * 1000 - MARGIN_MS, MAX_KEEP_ALIVE_MS);
    const now = performance.now();
    if (keepMs <= 0 || now < this.#distrustUntil) {
      connection.close();
      return;
    }
    connection.idleSince = now;
    connection.idleUntil = now + keepMs;
    this.#stack.push(connection);
    this.#sweeping ??= setInterval(() => this.#sweep(), Math.min(MAX_SWEEP_MS, this.#keepAliveMs)).unref();
  }

  take(): Http1Connection | undefined {
    for (let connection = this.#stack.pop(); connection !== undefined; connection = this.#stack.pop()) {
      if (connection.isUsable && connection.idleUntil > performance.now()) return connection;
      connection.close();
    }
    return undefined;
  }

  remove(connection: Http1Connection): void {
    const index = this.#stack.lastIndexOf(connection);
    if (index !== -1) this.#stack.splice(index, 1);
  }

  /**
   * The server closed a connection after one answer. If it does so every time without saying it, requests that follow soon
   * are written to connections that are closed already, and nobody knows what became of them.
   */
  closedByServer(connection: Http1Connection): void {
    const now = performance.now();
    if (now - connection.idleSince < SUDDEN_MS) this.#distrustUntil = now + DISTRUST_MS;
  }

  stop(): void {
    clearInterval(this.#sweeping);
    this.#sweeping = undefined;
  }

  #sweep(): void {
    const now = performance.now();
    for (const connection of this.#stack.toReversed()) {
      if (connection.idleUntil > now) connection.letGo();
      else connection.close();
    }
    if (this.#stack.length === 0) this.stop();
  }
}
