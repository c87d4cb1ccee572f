import type { McpServer, ServerNotifier } from '@modelcontextprotocol/server';
import type { Announcements } from './server-program.js';

/** Spreads announcements over live connections and, over HTTP, over the subscriptions of modern clients. */
export class AnnouncementBoard implements Announcements {
  readonly #servers = new Set<McpServer>();
  #subscriptions: ServerNotifier | undefined;

  /** Returns how to leave. */
  join(server: McpServer): () => void {
    this.#servers.add(server);
    return () => void this.#servers.delete(server);
  }

  subscriptions(notifier: ServerNotifier | undefined): void {
    this.#subscriptions = notifier;
  }

  toolsChanged(): void {
    this.#subscriptions?.toolsChanged();
    this.#tell(({ server }) => server.sendToolListChanged());
  }

  promptsChanged(): void {
    this.#subscriptions?.promptsChanged();
    this.#tell(({ server }) => server.sendPromptListChanged());
  }

  resourcesChanged(): void {
    this.#subscriptions?.resourcesChanged();
    this.#tell(({ server }) => server.sendResourceListChanged());
  }

  #tell(send: (server: McpServer) => Promise<void>): void {
    for (const server of this.#servers) {
      // A client that just left, or that declared no interest, misses nothing.
      if (server.isConnected()) void send(server).catch(() => undefined);
    }
  }
}
