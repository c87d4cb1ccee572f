import { setTimeout as sleep } from 'node:timers/promises';
import { backoffCeilingMs } from '@plugboard/client';
import { buildNotification, isJsonObject, type JsonObject } from '@plugboard/wire';
import type { ClientSession, McpCall } from '../../call/mcp-call.js';
import type { Lease } from '../../connection/lease-link.js';
import type { UpstreamLink } from '../../connection/upstream-link.js';
import { taskMeta } from './modern-task-for-legacy.js';
import { askServer, leaseTask, type TaskParts } from './task-request.js';
import type { TaskRecord } from './task-ledger.js';
import { toLegacyTask } from './task-shape.js';
import { taskTool } from './task-tool.js';

export const LEGACY_STATUS = 'notifications/tasks/status';

/** Each task takes a stream of its own, and calls need some, too. Of tasks beyond this, clients ask by themselves. */
const MAX_STREAMS = 16;

/** Tells the legacy client of a task what a modern server said of it. */
export const tellLegacy = ({ handle, address, session, cancelled }: TaskRecord, task: JsonObject): void => {
  // A client that was told of the end hears no more, nor one whose tool was taken away.
  if (cancelled || session === undefined) return;
  if (taskTool({ scope: session.view?.scope ?? session.endpoint }, address) === undefined) return;
  session.channel.notify(buildNotification(LEGACY_STATUS, { ...toLegacyTask(task), taskId: handle }));
};

export interface StatusPushOptions {
  /** How long to wait before a stream that broke is opened again, for the n-th time. */
  readonly pauseMs?: ((retry: number) => number) | undefined;
}

/** Tasks whose streams break at the same moment come back at different ones. */
const randomPause = (retry: number): number => Math.random() * backoffCeilingMs(retry);

/** Listens to modern servers for legacy clients that began tasks there. */
export class StatusPush {
  readonly #parts: TaskParts;
  readonly #pauseMs: (retry: number) => number;
  readonly #followed = new Map<TaskRecord, AbortController>();
  readonly #streams = new Map<TaskRecord, UpstreamLink>();
  /** Those that are watched, and whether they are over. */
  readonly #sessions = new WeakMap<ClientSession, { ended: boolean }>();
  readonly #leave: () => void;

  constructor(parts: TaskParts, { pauseMs = randomPause }: StatusPushOptions = {}) {
    this.#parts = parts;
    this.#pauseMs = pauseMs;
    this.#leave = parts.ledger.onKept((call, record) => {
      const { session, hosted, link } = record;
      if (session === undefined || hosted || link !== undefined || this.#watch(session).ended) return;
      // A client that cannot be notified polls.
      void this.#follow(call, record).catch(() => undefined);
    });
  }

  /** Streams that are open. */
  get size(): number {
    return this.#streams.size;
  }

  close(): void {
    this.#leave();
    for (const stop of this.#followed.values()) stop.abort();
  }

  /** Until the task is over, or its client gone. A server that cannot be listened to at first is left alone. */
  async #follow(call: McpCall, record: TaskRecord): Promise<void> {
    const stop = new AbortController();
    const { signal } = stop;
    const end = (): void => stop.abort();
    record.over.addEventListener('abort', end, { once: true });
    this.#followed.set(record, stop);
    // The call itself may be over long before its task.
    const lasting = { ...call, signal };
    try {
      let broke = !record.over.aborted && (await this.#attempt(lasting, record));
      for (let retry = 1; broke; retry += 1) {
        await sleep(this.#pauseMs(retry), undefined, { signal, ref: false });
        broke = await this.#attempt(lasting, record).catch(() => !signal.aborted);
      }
    } finally {
      record.over.removeEventListener('abort', end);
      this.#followed.delete(record);
      end();
    }
  }

  /** Listens once; true when that ended before it should. */
  async #attempt(call: McpCall, record: TaskRecord): Promise<boolean> {
    const lease = await leaseTask(this.#parts, call, record);
    try {
      const wanted = lease.facts.era === 'modern' && !call.signal.aborted;
      return wanted && (await this.#listen(call, record, lease));
    } finally {
      lease.letGo();
    }
  }

  async #listen(call: McpCall, record: TaskRecord, lease: Lease): Promise<boolean> {
    const { link } = lease;
    if ([...this.#streams.values()].filter((used) => used === link).length >= MAX_STREAMS) return false;
    this.#streams.set(record, link);
    try {
      const { taskId } = record.address;
      const { signal } = call;
      const { honoured, closed, close } = await link.client.listen({ taskIds: [taskId] }, { signal });
      const { taskIds } = honoured;
      const isTold = Array.isArray(taskIds) && taskIds.includes(taskId);
      if (isTold && (await this.#look(call, record, lease))) await closed;
      close();
      return isTold && !signal.aborted;
    } finally {
      this.#streams.delete(record);
    }
  }

  /** The task may have changed before the server listened to us. False when it cannot be seen. */
  async #look(call: McpCall, record: TaskRecord, lease: Lease): Promise<boolean> {
    const params = { taskId: record.address.taskId, _meta: taskMeta(call) };
    try {
      this.#seen(record, await askServer({ call, lease }, 'tasks/get', params));
      return true;
    } catch {
      return false;
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
      for (const [record, stop] of this.#followed) if (record.session === session) stop.abort();
    });
    return client;
  }
}
