import { ANY_METHOD } from '@plugboard/client';
import { isJsonObject, type JsonObject, type JsonRpcNotification } from '@plugboard/wire';
import { askThrough } from '../../call/ask-client.js';
import { objectAt } from '../../rpc/members.js';
import type { UpstreamLink } from '../../connection/upstream-link.js';
import { askAboutTask, renameNotification, toHandle } from './relay-task.js';
import type { TaskLedger, TaskRecord } from './task-ledger.js';
import { RELATED_TASK } from './task-shape.js';

const recordFor = (ledger: TaskLedger, link: UpstreamLink, params: unknown): TaskRecord | undefined => {
  const holder: JsonObject = isJsonObject(params) ? params : {};
  const { taskId } = objectAt(objectAt(holder, '_meta'), RELATED_TASK);
  return typeof taskId === 'string' ? ledger.find(link.server.id, taskId) : undefined;
};

/** What a server tells the client of its connection outside any call, with the ids of tasks that the client knows. */
export const inTermsOfClient =
  (ledger: TaskLedger) =>
  (link: UpstreamLink, notification: JsonRpcNotification): JsonRpcNotification => {
    const record = recordFor(ledger, link, notification.params);
    return record === undefined ? notification : renameNotification(notification, toHandle(record));
  };

/** On a connection of one client with tasks, what the server asks outside any call may be about one of them. */
export const answerForTasks = (ledger: TaskLedger, link: UpstreamLink): void => {
  const { session } = link.identity;
  if (session === undefined) return;
  link.client.onRequest(ANY_METHOD, (request) => {
    const record = recordFor(ledger, link, request.params);
    const ask = askThrough(session.channel);
    return record === undefined ? ask(request) : askAboutTask(ask, record)(request);
  });
};
