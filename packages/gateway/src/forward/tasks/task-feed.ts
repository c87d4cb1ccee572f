import { buildNotification, isJsonObject, type JsonObject, type JsonRpcNotification } from '@plugboard/wire';
import type { McpCall } from '../../call/mcp-call.js';
import { textAt } from '../../rpc/members.js';
import type { ServerTool } from '../../call/offered-tool.js';
import type { UpstreamLink } from '../../connection/upstream-link.js';
import type { KnownTask } from './follow-task.js';
import { detailedTask } from './legacy-task-for-modern.js';
import { renameNotification, toHandle } from './relay-task.js';
import { findTask } from './route-task.js';
import { LEGACY_STATUS, StatusPush, tellLegacy } from './status-push.js';
import { leaseTask, type TaskParts } from './task-request.js';
import type { TaskRecord } from './task-ledger.js';

const MODERN_STATUS = 'notifications/tasks';

export const isTaskStatus = ({ method }: JsonRpcNotification): boolean =>
  method === LEGACY_STATUS || method === MODERN_STATUS;

interface Watcher {
  readonly call: McpCall;
  readonly tool: ServerTool;
  readonly tell: (notification: JsonRpcNotification) => void;
}

interface Watched {
  readonly watchers: Set<Watcher>;
  /** Ends what was asked of the server. */
  readonly stop: AbortController;
}

/** A task that its server can be asked about. */
const followable = (parts: TaskParts, call: McpCall, handle: string): KnownTask | undefined => {
  try {
    const task = findTask(parts, call, handle);
    return task?.record.hosted === false ? task : undefined;
  } catch {
    return undefined;
  }
};

/** Brings what servers say of tasks to those who follow them, each under its own id. */
export class TaskFeed {
  readonly #parts: TaskParts;
  readonly #watched = new Map<TaskRecord, Watched>();
  readonly #push: StatusPush;
  readonly #leave: () => void;

  constructor(parts: TaskParts) {
    this.#parts = parts;
    this.#push = new StatusPush(parts);
    this.#leave = parts.upstream.onNotification((link, notification) => this.#hear(link, notification));
  }

  /** Follows the tasks of a modern subscription; says which of them it can follow, and how to stop. */
  async follow(call: McpCall, handles: readonly string[], tell: Watcher['tell']) {
    const followed = await Promise.all(
      handles.map(async (handle) => {
        const stop = await this.#followOne(call, handle, tell).catch(() => undefined);
        return stop === undefined ? [] : [{ handle, stop }];
      }),
    );
    return {
      handles: followed.flat().map(({ handle }) => handle),
      stop: () => {
        for (const { stop } of followed.flat()) stop();
      },
    };
  }

  close(): void {
    this.#leave();
    this.#push.close();
    for (const { stop } of this.#watched.values()) stop.abort();
    this.#watched.clear();
  }

  async #followOne(call: McpCall, handle: string, tell: Watcher['tell']): Promise<(() => void) | undefined> {
    const task = followable(this.#parts, call, handle);
    if (task === undefined) return undefined;
    const { record, tool } = task;
    const watcher = { call, tool, tell };
    const known = this.#watched.get(record);
    const watched = known ?? { watchers: new Set<Watcher>(), stop: new AbortController() };
    watched.watchers.add(watcher);
    this.#watched.set(record, watched);
    const stop = (): void => {
      watched.watchers.delete(watcher);
      if (watched.watchers.size > 0) return;
      watched.stop.abort();
      if (this.#watched.get(record) === watched) this.#watched.delete(record);
    };
    try {
      if (known === undefined) await this.#listen(call, record, watched.stop.signal);
    } catch (thrown) {
      stop();
      throw thrown;
    }
    return stop;
  }

  /** A modern server tells of tasks to those who listen; a legacy one tells the connection that began them. */
  async #listen(call: McpCall, record: TaskRecord, signal: AbortSignal): Promise<void> {
    const { link, facts, letGo } = await leaseTask(this.#parts, call, record);
    signal.addEventListener('abort', letGo, { once: true });
    if (facts.era === 'modern') await link.client.listen({ taskIds: [record.address.taskId] }, { signal });
  }

  #hear(link: UpstreamLink, notification: JsonRpcNotification): void {
    const { params } = notification;
    if (!isTaskStatus(notification) || !isJsonObject(params)) return;
    const record = this.#parts.ledger.find(link.server.id, textAt(params, 'taskId') ?? '');
    if (record === undefined) return;
    this.#parts.ledger.note(record, params);
    const renamed = renameNotification(notification, toHandle(record));
    if (notification.method === LEGACY_STATUS) record.session?.channel.notify(renamed);
    else tellLegacy(record, params);
    for (const watcher of this.#watched.get(record)?.watchers ?? []) {
      if (notification.method === MODERN_STATUS) watcher.tell(renamed);
      else void this.#tellDetails(record, watcher);
    }
  }

  /** A modern client is told the whole task, with its questions or its result. */
  async #tellDetails(record: TaskRecord, { call, tool, tell }: Watcher): Promise<void> {
    try {
      const lease = await leaseTask(this.#parts, call, record);
      const route = { kind: 'upstream', server: record.server, method: 'tasks/get', params: {} } as const;
      try {
        const request = { call, route, record, tool, lease, ledger: this.#parts.ledger };
        const details: JsonObject = await detailedTask(request);
        if (!call.signal.aborted) tell(buildNotification(MODERN_STATUS, details));
      } finally {
        lease.letGo();
      }
    } catch {
      // A follower may read the task at any time.
    }
  }
}
