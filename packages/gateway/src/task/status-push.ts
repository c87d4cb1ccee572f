import { buildNotification, isJsonObject, type JsonObject } from '@plugboard/wire';
import type { ClientSession, McpCall } from '../call/mcp-call.js';
import type { Lease } from '../upstream/lease-link.js';
import type { UpstreamLink } from '../upstream/upstream-link.js';
import { taskMeta } from './modern-task-for-legacy.js';
import { askServer, leaseTask, type TaskParts } from './task-exchange.js';
import type { TaskRecord } from './task-ledger.js';
import { toLegacyTask } from './task-shape.js';

export const LEGACY_STATUS = 'notifications/tasks/status';

/** Each task takes a stream of its own, and calls need some, too. Of tasks beyond this, clients ask by themselves. */
const MAX_STREAMS = 16;

/** Tells the legacy client of a task what a modern server said of it. */
export const tellLegacy = ({ handle, session, cancelled }: TaskRecord, task: JsonObject): void => {
  // A client that was told of the end hears no more.
  if (cancelled) return;
  session?.channel.notify(buildNotification(LEGACY_STATUS, { ...toLegacyTask(task), taskId: handle }));
};

interface Stream {
  readonly link: UpstreamLink;
  readonly stop: AbortController;
}

/** Listens to modern servers for legacy clients that began tasks there. */
export class StatusPush {
  readonly #parts: TaskParts;
  readonly #streams = new Map<TaskRecord, Stream>();
  /** Those that are watched, and whether they are over. */
  readonly #sessions = new WeakMap<ClientSession, { ended: boolean }>();
  readonly #leave: () => void;

  constructor(parts: TaskParts) {
    this.#parts = parts;
    this.#leave = parts.ledger.onKept((call, record) => {
      const { session, hosted, link } = record;
      if (session === undefined || hosted || link !== undefined) return;
      // Whoever cannot be told asks.
      void this.#follow(call, record, this.#watch(session)).catch(() => undefined);
    });
  }

  get size(): number {
    return this.#streams.size;
  }

  close(): void {
    this.#leave();
    for (const { stop } of this.#streams.values()) stop.abort();
  }

  async #follow(call: McpCall, record: TaskRecord, client: { readonly ended: boolean }): Promise<void> {
    const lease = await leaseTask(this.#parts, call, record);
    try {
      const wanted = lease.facts.era === 'modern' && !client.ended && !record.over.aborted;
      if (wanted) await this.#listen(call, record, lease);
    } finally {
      lease.letGo();
    }
  }

  async #listen(call: McpCall, record: TaskRecord, lease: Lease): Promise<void> {
    const { link } = lease;
    if ([...this.#streams.values()].filter((stream) => stream.link === link).length >= MAX_STREAMS) return;
    const stop = new AbortController();
    const { signal } = stop;
    record.over.addEventListener('abort', () => stop.abort(), { once: true });
    this.#streams.set(record, { link, stop });
    try {
      const { taskId } = record.address;
      const { honoured, closed } = await link.client.listen({ taskIds: [taskId] }, { signal });
      const { taskIds } = honoured;
      if (!Array.isArray(taskIds) || !taskIds.includes(taskId)) return;
      // It may have changed before the server listened to us.
      const params = { taskId, _meta: taskMeta(call) };
      this.#seen(record, await askServer({ call, lease }, 'tasks/get', params, { signal }));
      await closed;
    } finally {
      stop.abort();
      this.#streams.delete(record);
    }
  }

  #seen(record: TaskRecord, task: unknown): void {
    if (!isJsonObject(task) || task['status'] === record.last['status']) return;
    this.#parts.ledger.note(record, task);
    tellLegacy(record, task);
  }

  #watch(session: ClientSession): { readonly ended: boolean } {
    const known = this.#sessions.get(session);
    if (known !== undefined) return known;
    const client = { ended: false };
    this.#sessions.set(session, client);
    session.onEnd(() => {
      client.ended = true;
      for (const [record, { stop }] of this.#streams) if (record.session === session) stop.abort();
    });
    return client;
  }
}
