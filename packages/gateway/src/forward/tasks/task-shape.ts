import { isJsonObject, type JsonObject } from '@plugboard/wire';
import { objectAt, withMeta } from '../../rpc/members.js';

export const RELATED_TASK = 'io.modelcontextprotocol/related-task';

const TERMINAL: ReadonlySet<unknown> = new Set(['completed', 'failed', 'cancelled']);

export const isOver = ({ status }: JsonObject): boolean => TERMINAL.has(status);

/** A task of the modern era, as clients of 2025-11-25 know tasks. A tool's own failure counts as failed there. */
export const toLegacyTask = (task: JsonObject): JsonObject => {
  const { ttlMs, pollIntervalMs, result, error: _e, inputRequests: _q, resultType: _t, _meta: _m, ...rest } = task;
  const failed = task['status'] === 'completed' && isJsonObject(result) && result['isError'] === true;
  return {
    ...rest,
    ...(failed ? { status: 'failed' } : {}),
    ttl: ttlMs ?? null,
    ...(pollIntervalMs === undefined ? {} : { pollInterval: pollIntervalMs }),
  };
};

/** A task of 2025-11-25 as the extension of the modern era shows one; what came of it is added by the caller. */
export const toModernTask = (task: JsonObject): JsonObject => {
  const { ttl, pollInterval, _meta: _m, ...rest } = task;
  return {
    ...rest,
    ttlMs: ttl ?? null,
    ...(pollInterval === undefined ? {} : { pollIntervalMs: pollInterval }),
  };
};

export type Rename = (taskId: string) => string;

/** Changes the id in what a message says of the task that it belongs to. */
export const renameRelated = (holder: JsonObject, rename: Rename): JsonObject => {
  const related = objectAt(objectAt(holder, '_meta'), RELATED_TASK);
  const { taskId } = related;
  if (typeof taskId !== 'string') return holder;
  return withMeta(holder, (meta) => ({ ...meta, [RELATED_TASK]: { ...related, taskId: rename(taskId) } }));
};

const renameOwn = (holder: JsonObject, rename: Rename): JsonObject =>
  typeof holder['taskId'] === 'string' ? { ...holder, taskId: rename(holder['taskId']) } : holder;

/** Changes the ids of tasks wherever the protocol has them: at the top, under `task`, and in `_meta`. */
export const renameTasks = (holder: JsonObject, rename: Rename): JsonObject => {
  const renamed = renameRelated(renameOwn(holder, rename), rename);
  const { task } = renamed;
  return isJsonObject(task) ? { ...renamed, task: renameOwn(task, rename) } : renamed;
};

export const withRelated = (holder: JsonObject, taskId: string): JsonObject =>
  withMeta(holder, (meta) => ({ ...meta, [RELATED_TASK]: { taskId } }));
