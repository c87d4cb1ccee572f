import type { Server, ServerId } from '@plugboard/contract';
import type { UpstreamClient } from './upstream-client.js';

export interface UpstreamPoolOptions {
  /** Makes a client for a server; it must not do any I/O before it is used. */
  readonly makeClient: (server: Server) => UpstreamClient;
  /** How long an unused connection stays open. */
  readonly idleMs: number;
}

interface Link {
  readonly client: UpstreamClient;
  /** The config that the client was made for. */
  readonly config: string;
  readonly stopListening: () => void;
  inFlight: number;
  idle: NodeJS.Timeout | undefined;
}

export type ToolsChangedListener = (id: ServerId) => void;

/** One connection per server, opened by the first use, replaced when the config changes, closed when idle. */
export class UpstreamPool {
  readonly #options: UpstreamPoolOptions;
  readonly #links = new Map<ServerId, Link>();
  readonly #listeners = new Set<ToolsChangedListener>();
  readonly #closing = new Set<Promise<void>>();

  constructor(options: UpstreamPoolOptions) {
    this.#options = options;
  }

  /** Lends the server's client to `work`; while anyone uses it, it is not idle. */
  async use<T>(server: Server, work: (client: UpstreamClient) => Promise<T>): Promise<T> {
    const link = this.#link(server);
    link.inFlight += 1;
    clearTimeout(link.idle);
    try {
      return await work(link.client);
    } finally {
      link.inFlight -= 1;
      if (link.inFlight === 0) this.#closeWhenIdle(server.id, link);
    }
  }

  /** The client of a server when one is open. */
  peek(id: ServerId): UpstreamClient | undefined {
    return this.#links.get(id)?.client;
  }

  onToolsChanged(listener: ToolsChangedListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async release(id: ServerId): Promise<void> {
    const link = this.#links.get(id);
    if (link === undefined) return;
    this.#links.delete(id);
    await this.#dispose(link);
  }

  async close(): Promise<void> {
    const links = [...this.#links.values()];
    this.#links.clear();
    await Promise.allSettled([...links.map((link) => this.#dispose(link)), ...this.#closing]);
  }

  #link(server: Server): Link {
    const config = JSON.stringify(server.config);
    const existing = this.#links.get(server.id);
    if (existing?.config === config) return existing;
    if (existing !== undefined) void this.#dispose(existing);
    const client = this.#options.makeClient(server);
    const stopListening = client.onNotification(({ method }) => {
      if (method !== 'notifications/tools/list_changed') return;
      for (const listener of this.#listeners) listener(server.id);
    });
    const link: Link = { client, config, stopListening, inFlight: 0, idle: undefined };
    this.#links.set(server.id, link);
    return link;
  }

  #closeWhenIdle(id: ServerId, link: Link): void {
    if (this.#links.get(id) !== link) return;
    link.idle = setTimeout(() => {
      this.#links.delete(id);
      void this.#dispose(link);
    }, this.#options.idleMs);
    link.idle.unref();
  }

  #dispose(link: Link): Promise<void> {
    clearTimeout(link.idle);
    link.stopListening();
    // A server that fails to say goodbye is gone all the same.
    const closed = link.client.dispose().catch(() => undefined);
    this.#closing.add(closed);
    void closed.finally(() => this.#closing.delete(closed));
    return closed;
  }
}
