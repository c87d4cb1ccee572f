import { isJsonObject, type JsonObject } from '@plugboard/wire';
import { invalidParams } from '../../rpc/rpc-refusal.js';
import type { TaskRecord } from './task-ledger.js';
import { toLegacyTask, withRelated } from './task-shape.js';

/** A task that the hub keeps itself: it was over before its client asked. */
export const hostedTask = (method: string, { handle, last, outcome }: TaskRecord): JsonObject => {
  if (method === 'tasks/cancel') throw invalidParams('The task cannot be cancelled: it is completed.');
  if (method !== 'tasks/result') return { ...toLegacyTask(last), taskId: handle };
  return withRelated(outcome?.kind === 'result' && isJsonObject(outcome.result) ? outcome.result : {}, handle);
};
