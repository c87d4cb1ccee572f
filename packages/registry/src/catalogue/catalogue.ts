import { isDeepStrictEqual } from 'node:util';
import type {
  CatalogueEntry,
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
import { inOrder, mergeOrdered, positionOf } from './name-order.js';
import { ToolNames } from './tool-names.js';

/** A server and its tools, as last read from the store. */
export interface KnownServer {
  readonly stored: StoredServer;
  readonly storedTools: readonly StoredTool[];
  readonly tools: readonly Tool[];
  readonly definitions: ReadonlyMap<string, ToolDefinition>;
  /** The same as readers of the snapshot see it. */
  readonly shown: CatalogueEntry;
}

type Listener = (snapshot: CatalogueSnapshot) => void;
type StatusListener = (server: Server, status: ServerStatus) => void;

const nameOf = ({ stored }: KnownServer): string => stored.server.server_name;

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
  readonly #entries = new Map<ServerId, KnownServer>();
  readonly #names = new ToolNames();
  #ordered: readonly KnownServer[] = [];
  #tools: readonly Tool[] | undefined;
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

  /** The server that is registered under that name. */
  named(name: string): KnownServer | undefined {
    return this.#ordered[positionOf(this.#ordered, nameOf, name)];
  }

  /** All servers by name. */
  all(): readonly KnownServer[] {
    return this.#ordered;
  }

  /** The tools of all servers, in the order of their servers. */
  tools(): readonly Tool[] {
    this.#tools ??= this.#ordered.flatMap(({ tools }) => tools);
    return this.#tools;
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
    const since = version < this.#storeVersion ? 0 : this.#storeVersion;
    this.#apply(await this.#store.changesSince(since, since === 0 ? undefined : this.#entries));
  }

  /** What a change costs grows with what changed. All servers are only walked over, to put the others in order. */
  #apply(changes: StoreChanges): void {
    const changed = new Map(changes.changed.map((entry) => [entry.server.server.id, entry]));
    const removed = this.#removedBy(changes);
    for (const id of removed) this.#names.delete(id);
    for (const entry of changes.changed) this.#names.put(entry);
    const renamed = this.#names.settle();
    const touched = [...new Set([...changed.keys(), ...renamed])].flatMap((id): KnownServer[] => {
      const held = this.#entries.get(id);
      const entry = changed.get(id) ?? (held && { server: held.stored, tools: held.storedTools });
      return entry === undefined ? [] : [this.#knownServer(entry)];
    });
    const differs =
      removed.length > 0 ||
      !isDeepStrictEqual(changes.toolsets, this.#toolsets) ||
      touched.some((entry) => this.#offerDiffers(entry));
    for (const id of removed) {
      this.#entries.delete(id);
      this.#statuses.delete(id);
    }
    for (const entry of touched) this.#entries.set(entry.stored.server.id, entry);
    for (const { server } of changes.changed) this.#adoptStatus(server);
    this.#storeVersion = changes.version;
    const others = this.#ordered.filter((entry) => this.#entries.get(entry.stored.server.id) === entry);
    this.#ordered = mergeOrdered(others, inOrder(touched, nameOf), nameOf);
    this.#tools = undefined;
    this.#toolsets = changes.toolsets;
    this.#publish(differs ? changes.version : this.#snapshot.version, differs);
  }

  #removedBy({ serverIds }: StoreChanges): readonly ServerId[] {
    if (serverIds === undefined) return [];
    const there = new Set(serverIds);
    return [...this.#entries.keys()].filter((id) => !there.has(id));
  }

  /** Keeps the objects of before where nothing changed, so that readers can compare by identity. */
  #knownServer({ server, tools }: StoredEntry): KnownServer {
    const serverName = server.server.server_name;
    const held = this.#entries.get(server.server.id);
    const shownTools = tools.map((tool) => toTool(tool, serverName, this.#names.nameOf(serverName, tool.upstreamName)));
    const isSame = held !== undefined && isDeepStrictEqual(held.tools, shownTools);
    const definitions = new Map(
      tools.map(({ upstreamName, definition, grade }) => [
        upstreamName,
        repairDefinition(definition, grade).definition,
      ]),
    );
    const known = { stored: server, storedTools: tools, tools: isSame ? held.tools : shownTools, definitions };
    return { ...known, shown: { server: publicServer(server), tools: known.tools, definitions } };
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
      entries: this.#ordered.map(({ shown }) => shown),
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
        this.#log.error('A listener for catalogue changes failed.', { error: String(thrown) });
      }
    }
  }
}
