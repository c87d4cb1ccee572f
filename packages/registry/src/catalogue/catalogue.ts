import { isDeepStrictEqual } from 'node:util';
import type {
  CatalogueSnapshot,
  Server,
  ServerId,
  ServerStatus,
  Tool,
  ToolDefinition,
  Toolset,
} from '@plugboard/contract';
import { repairDefinition } from '@plugboard/schema';
import type { Store, StoreChanges, StoredEntry, StoredServer, StoredTool } from '../store/store.js';
import type { Log } from '../port/log.js';
import { toTool } from './to-tool.js';
import { type ToolName, toolNames } from './tool-names.js';

/** A server and its tools, as last read from the store. */
export interface KnownServer {
  readonly stored: StoredServer;
  readonly storedTools: readonly StoredTool[];
  readonly tools: readonly Tool[];
  readonly definitions: ReadonlyMap<string, ToolDefinition>;
}

type Listener = (snapshot: CatalogueSnapshot) => void;
type StatusListener = (server: Server, status: ServerStatus) => void;

const byName = (a: KnownServer, b: KnownServer): number =>
  a.stored.server.server_name < b.stored.server.server_name ? -1 : 1;

/** What a reader of the snapshot acts on; when the server was last looked at is not part of it. */
const offerOf = ({ stored, tools, definitions }: KnownServer): unknown => [
  { ...stored.server, last_sync: null, protocol: { ...stored.server.protocol, checked_at: null } },
  stored.unreadable === undefined,
  tools,
  definitions,
];

// Nobody may reach a server without the secrets that its config calls for.
const publicServer = ({ server, unreadable }: StoredServer): Server =>
  unreadable === undefined ? server : { ...server, enabled: false };

/** The whole store in memory. Reads are answered from it; `refresh` asks the store only what has changed. */
export class Catalogue {
  readonly #store: Store;
  readonly #log: Log;
  readonly #listeners = new Set<Listener>();
  readonly #statusListeners = new Set<StatusListener>();
  readonly #statuses = new Map<ServerId, ServerStatus>();
  #storeVersion = 0;
  #entries: ReadonlyMap<ServerId, KnownServer> = new Map();
  #ordered: readonly KnownServer[] = [];
  #toolsets: readonly Toolset[] = [];
  #snapshot: CatalogueSnapshot = { version: 0, entries: [], toolsets: [] };
  #running: Promise<void> = Promise.resolve();
  #queued: Promise<void> | undefined;

  constructor(store: Store, log: Log) {
    this.#store = store;
    this.#log = log;
  }

  /** Resolves when everything that was committed before the call, by whichever process, is here. */
  refresh(): Promise<void> {
    this.#queued ??= this.#running
      .catch(() => undefined)
      .then(() => {
        this.#queued = undefined;
        this.#running = this.#load();
        return this.#running;
      });
    return this.#queued;
  }

  get(id: string): KnownServer | undefined {
    return this.#entries.get(id as ServerId);
  }

  /** All servers by name. */
  all(): readonly KnownServer[] {
    return this.#ordered;
  }

  snapshot(): CatalogueSnapshot {
    return this.#snapshot;
  }

  /** All toolsets by name. */
  toolsets(): readonly Toolset[] {
    return this.#toolsets;
  }

  onChange(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  status(id: ServerId): ServerStatus {
    return this.#statuses.get(id) ?? { state: 'unknown' };
  }

  /** Called when a server is found in another state than before. Returns the way to stop listening. */
  onStatus(listener: StatusListener): () => void {
    this.#statusListeners.add(listener);
    return () => this.#statusListeners.delete(listener);
  }

  /** How a call found the server; kept in memory only. */
  noteStatus(id: ServerId, status: ServerStatus): void {
    const known = this.#entries.get(id);
    if (known !== undefined) this.#setStatus(known.stored.server, status);
  }

  async #load(): Promise<void> {
    const version = await this.#store.version();
    if (version === this.#storeVersion) return;
    // a lower version is another database under the same address
    const whole = version < this.#storeVersion;
    const changes = await this.#store.changesSince(whole ? 0 : this.#storeVersion);
    this.#apply(changes, whole ? new Map() : this.#entries);
  }

  #apply(changes: StoreChanges, before: ReadonlyMap<ServerId, KnownServer>): void {
    const changed = new Map(changes.changed.map((entry) => [entry.server.server.id, entry]));
    const stored = changes.serverIds.flatMap((id): StoredEntry[] => {
      const held = before.get(id);
      const entry = changed.get(id) ?? (held && { server: held.stored, tools: held.storedTools });
      return entry === undefined ? [] : [entry];
    });
    const entries = this.#build(stored);
    const differs =
      !isDeepStrictEqual(changes.toolsets, this.#toolsets) ||
      entries.size !== this.#entries.size ||
      [...entries].some(([id, entry]) => entry !== this.#entries.get(id) && this.#offerDiffers(entry));
    for (const id of this.#statuses.keys()) if (!entries.has(id)) this.#statuses.delete(id);
    for (const { server } of changes.changed) this.#adoptStatus(server);
    this.#storeVersion = changes.version;
    this.#entries = entries;
    this.#ordered = [...entries.values()].sort(byName);
    this.#toolsets = changes.toolsets;
    this.#publish(differs ? changes.version : this.#snapshot.version, differs);
  }

  #build(stored: readonly StoredEntry[]): ReadonlyMap<ServerId, KnownServer> {
    const names = toolNames(stored);
    return new Map(stored.map((entry) => [entry.server.server.id, this.#knownServer(entry, names)]));
  }

  /** Keeps the objects of before where nothing changed, so that readers can compare by identity. */
  #knownServer({ server, tools }: StoredEntry, names: ToolName): KnownServer {
    const serverName = server.server.server_name;
    const held = this.#entries.get(server.server.id);
    const nameOf = (upstreamName: string): string => names(serverName, upstreamName);
    if (held?.stored === server && held.tools.every((tool) => tool.name === nameOf(tool.upstream_name))) return held;
    const shown = tools.map((tool) => toTool(tool, serverName, nameOf(tool.upstreamName)));
    const same = held !== undefined && isDeepStrictEqual(held.tools, shown);
    const definitions = new Map(
      tools.map(({ upstreamName, definition, grade }) => [
        upstreamName,
        repairDefinition(definition, grade).definition,
      ]),
    );
    return { stored: server, storedTools: tools, tools: same ? held.tools : shown, definitions };
  }

  #offerDiffers(entry: KnownServer): boolean {
    const held = this.#entries.get(entry.stored.server.id);
    return held === undefined || !isDeepStrictEqual(offerOf(held), offerOf(entry));
  }

  #adoptStatus({ server, status, unreadable }: StoredServer): void {
    const held = this.#statuses.get(server.id);
    if (unreadable !== undefined) {
      this.#setStatus(server, { state: 'failing', at: server.updated_at, error: unreadable.toJSON() });
    } else if (held === undefined || held.state === 'unknown' || status.state === 'unknown' || status.at >= held.at) {
      this.#setStatus(server, status);
    }
  }

  #setStatus(server: Server, status: ServerStatus): void {
    const before = this.status(server.id).state;
    this.#statuses.set(server.id, status);
    if (status.state !== before) this.#tell(this.#statusListeners, (listener) => listener(server, status));
  }

  #publish(version: number, differs: boolean): void {
    this.#snapshot = {
      version,
      entries: this.#ordered.map(({ stored, tools, definitions }) => ({
        server: publicServer(stored),
        tools,
        definitions,
      })),
      toolsets: this.#toolsets,
    };
    if (!differs) return;
    this.#tell(this.#listeners, (listener) => listener(this.#snapshot));
  }

  #tell<Each>(listeners: ReadonlySet<Each>, say: (listener: Each) => void): void {
    for (const listener of listeners) {
      try {
        say(listener);
      } catch (thrown) {
        this.#log.error('A listener to changes of the catalogue failed.', { error: String(thrown) });
      }
    }
  }
}
