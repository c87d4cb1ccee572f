import type { Server, ServerId } from '@plugboard/contract';
import { isJsonObject, type JsonObject } from '@plugboard/wire';
import type { Outcome, ParkedCall } from '../bridge/parked-call.js';
import { bindingOfCaller } from '../../call/caller.js';
import type { ClientSession, McpCall, ReplyChannel } from '../../call/mcp-call.js';
import type { UpstreamLink } from '../../connection/upstream-link.js';
import { openTask, sealTask, type TaskAddress, type TaskBinding } from './task-handle.js';
import { isOver } from './task-shape.js';

/** What the hub knows of a task beyond its handle. */
export interface TaskRecord {
  readonly handle: string;
  readonly address: TaskAddress;
  readonly binding: TaskBinding;
  readonly server: Server;
  /** The session that hears of it, where there is one. */
  readonly session: ClientSession | undefined;
  /** The connection that it was begun on: a legacy server may know it nowhere else. */
  readonly link: UpstreamLink | undefined;
  readonly letGo: () => void;
  /** Aborts when it is over, or forgotten. */
  readonly over: AbortSignal;
  readonly expiresAt: number;
  /** The last that was heard of it, in the words of its server's era. */
  last: JsonObject;
  /** No server knows it: the hub itself keeps what came of it. */
  readonly hosted: boolean;
  /** What came of it, as far as that was asked for. */
  outcome: Outcome | undefined;
  /** Waits for the result of a legacy server, which asks its questions meanwhile. */
  parked: ParkedCall | undefined;
  /** A legacy client was told that it is cancelled, so it stays so. */
  cancelled: boolean;
  /** The way to a client that waits for its result now. */
  waiting: ReplyChannel | undefined;
  /** Questions that were put to a legacy client already. */
  readonly asked: Set<string>;
}

export interface NewTask {
  readonly address: TaskAddress;
  readonly server: Server;
  readonly last: JsonObject;
  readonly link?: UpstreamLink | undefined;
  /** Aborted when it is over, or forgotten. */
  readonly over?: AbortController | undefined;
  /** For a task that the hub keeps itself. */
  readonly outcome?: Outcome | undefined;
}

type KeptListener = (call: McpCall, record: TaskRecord) => void;

export interface TaskLedgerOptions {
  /** Signs handles; hubs that share it know each other's. */
  readonly key: Uint8Array;
  /** Of this process, where there are several. */
  readonly mark?: string | undefined;
  readonly maxTasks?: number | undefined;
  readonly now?: (() => number) | undefined;
}

const DEFAULT_MAX_TASKS = 10_000;
const MAX_KEEP_MS = 24 * 3_600_000;
const DEFAULT_KEEP_MS = 3_600_000;
const SWEEP_MS = 60_000;

const keepMsOf = (task: JsonObject): number => {
  const ttl = task['ttlMs'] ?? task['ttl'];
  return typeof ttl === 'number' && ttl > 0 ? Math.min(ttl, MAX_KEEP_MS) : DEFAULT_KEEP_MS;
};

const keyOf = (serverId: ServerId, taskId: string): string => `${serverId} ${taskId}`;

export const bindingOf = ({ client, scope }: Pick<McpCall, 'client' | 'scope'>): TaskBinding => ({
  principal: bindingOfCaller(client.caller),
  scopeId: scope.id,
});

/** The tasks that were begun through this hub, until they expire. A handle finds its task without it, too. */
export class TaskLedger {
  readonly #options: TaskLedgerOptions;
  readonly #records = new Map<string, TaskRecord>();
  readonly #onKept = new Set<KeptListener>();
  readonly #sweeper: NodeJS.Timeout;

  constructor(options: TaskLedgerOptions) {
    this.#options = options;
    this.#sweeper = setInterval(() => this.sweep(), SWEEP_MS);
    this.#sweeper.unref();
  }

  get size(): number {
    return this.#records.size;
  }

  handleOf(address: TaskAddress, binding: TaskBinding): string {
    return sealTask(this.#options.key, { ...address, mark: address.mark ?? this.#options.mark }, binding);
  }

  /** The task behind a handle; undefined when it was not given to this caller on this endpoint. */
  open(handle: string, binding: TaskBinding): TaskAddress | undefined {
    return openTask(this.#options.key, handle, binding);
  }

  find(serverId: ServerId, taskId: string): TaskRecord | undefined {
    return this.#records.get(keyOf(serverId, taskId));
  }

  /** Remembers a task; the connection that it needs stays open until it is over. */
  keep(call: McpCall, task: NewTask): TaskRecord {
    const { address, server, last, link, outcome, over = new AbortController() } = task;
    const binding = bindingOf(call);
    const handle = this.handleOf(address, binding);
    const known = this.find(address.serverId, address.taskId);
    if (known?.handle === handle) {
      over.abort();
      return known;
    }
    if (known !== undefined) this.drop(known);
    this.#makeRoom();
    const letGo = link?.hold();
    const record: TaskRecord = {
      handle,
      address,
      binding,
      server,
      session: call.session,
      link,
      letGo: () => {
        letGo?.();
        over.abort();
      },
      over: over.signal,
      expiresAt: this.#now() + keepMsOf(last),
      last,
      hosted: outcome !== undefined,
      outcome,
      parked: undefined,
      cancelled: false,
      waiting: undefined,
      asked: new Set(),
    };
    this.#records.set(keyOf(address.serverId, address.taskId), record);
    for (const listener of this.#onKept) listener(call, record);
    return record;
  }

  /** Hears of every task that becomes known. */
  onKept(listener: KeptListener): () => void {
    this.#onKept.add(listener);
    return () => this.#onKept.delete(listener);
  }

  /** Notes what was heard of a task. */
  note(record: TaskRecord, task: unknown): void {
    if (!isJsonObject(task) || typeof task['status'] !== 'string') return;
    record.last = task;
    // The result may still be asked for, but the connection then lives as any other does.
    if (isOver(task)) record.letGo();
  }

  /** Every task of a caller on an endpoint, the oldest first. */
  of({ principal, scopeId }: TaskBinding): readonly TaskRecord[] {
    return [...this.#records.values()].filter(
      ({ binding }) => binding.principal === principal && binding.scopeId === scopeId,
    );
  }

  drop({ address, letGo, parked }: TaskRecord): void {
    this.#records.delete(keyOf(address.serverId, address.taskId));
    letGo();
    parked?.abort();
  }

  /** Forgets what has expired. */
  sweep(): void {
    const now = this.#now();
    for (const record of this.#records.values()) if (record.expiresAt <= now) this.drop(record);
  }

  close(): void {
    clearInterval(this.#sweeper);
    for (const record of this.#records.values()) this.drop(record);
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }

  #makeRoom(): void {
    if (this.#records.size < (this.#options.maxTasks ?? DEFAULT_MAX_TASKS)) return;
    const [oldest] = this.#records.values();
    if (oldest !== undefined) this.drop(oldest);
  }
}
