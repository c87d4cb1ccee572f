import type { ServerId } from '@plugboard/contract';
import { NameIndex } from '@plugboard/schema';
import type { StoredEntry } from '../store/store.js';

const keyOf = (serverName: string, upstreamName: string): string => JSON.stringify([serverName, upstreamName]);

/** The names under which the hub offers tools: the configured name of the server, then the tool's own. */
export class ToolNames {
  readonly #index = new NameIndex();
  readonly #keys = new Map<ServerId, readonly string[]>();
  readonly #owners = new Map<string, ServerId>();

  put({ server: { server }, tools }: StoredEntry): void {
    this.delete(server.id);
    const keys = tools.map(({ upstreamName }) => keyOf(server.server_name, upstreamName));
    this.#keys.set(server.id, keys);
    for (const [at, key] of keys.entries()) {
      this.#owners.set(key, server.id);
      this.#index.put({ key, server: server.server_name, tool: tools[at]?.upstreamName ?? '' });
    }
  }

  delete(id: ServerId): void {
    for (const key of this.#keys.get(id) ?? []) {
      // Another server may have got the name of this one meanwhile.
      if (this.#owners.get(key) !== id) continue;
      this.#owners.delete(key);
      this.#index.delete(key);
    }
    this.#keys.delete(id);
  }

  /** Names what came. The servers of which a tool is called otherwise now. */
  settle(): ReadonlySet<ServerId> {
    const changed = new Set<ServerId>();
    for (const key of this.#index.settle()) {
      const owner = this.#owners.get(key);
      if (owner !== undefined) changed.add(owner);
    }
    return changed;
  }

  nameOf(serverName: string, upstreamName: string): string {
    return this.#index.nameOf(keyOf(serverName, upstreamName)) ?? upstreamName;
  }
}
