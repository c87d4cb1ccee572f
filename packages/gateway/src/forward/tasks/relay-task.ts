import type { RequestHandler } from '@plugboard/client';
import { isJsonObject, type JsonRpcNotification } from '@plugboard/wire';
import { withModernEnvelope } from '../../rpc/era-members.js';
import { askThrough } from '../../call/ask-client.js';
import { isOfCall } from '../relay/call-notification.js';
import { progressRelay } from '../relay/progress-token.js';
import { askServer, RESULT_MS, type TaskRequest } from './task-request.js';
import type { TaskRecord } from './task-ledger.js';
import { type Rename, renameRelated, renameTasks } from './task-shape.js';

/** From the server's id of this one task to the client's; others stay. */
export const toHandle =
  ({ address, handle }: Pick<TaskRecord, 'address' | 'handle'>): Rename =>
  (taskId) =>
    taskId === address.taskId ? handle : taskId;

export const fromHandle =
  ({ address, handle }: Pick<TaskRecord, 'address' | 'handle'>): Rename =>
  (taskId) =>
    taskId === handle ? address.taskId : taskId;

export const renameNotification = (notification: JsonRpcNotification, rename: Rename): JsonRpcNotification =>
  isJsonObject(notification.params)
    ? { ...notification, params: renameTasks(notification.params, rename) }
    : notification;

/** Questions of the server and the client's answers both say which task they belong to. */
export const askAboutTask =
  (ask: RequestHandler, record: Pick<TaskRecord, 'address' | 'handle'>): RequestHandler =>
  async (request) => {
    const { params } = request;
    const shown = isJsonObject(params) ? { ...request, params: renameRelated(params, toHandle(record)) } : request;
    const answer: unknown = await ask(shown);
    return isJsonObject(answer) ? renameRelated(answer, fromHandle(record)) : answer;
  };

/** The client that waits for the result hears of the task on the stream of that request. */
const whileWaiting = async ({ call, record, route }: TaskRequest, ask: () => Promise<unknown>): Promise<unknown> => {
  if (route.method !== 'tasks/result') return ask();
  record.waiting = call.reply;
  try {
    return await ask();
  } finally {
    if (record.waiting === call.reply) record.waiting = undefined;
  }
};

/** Client and server of the same era: everything passes as it is, except the id. */
export const relayTask = async (request: TaskRequest): Promise<unknown> => {
  const { call, route, record, lease, ledger } = request;
  const rename = toHandle(record);
  const result = await whileWaiting(request, () =>
    askServer(request, route.method, route.params, {
      deadlineMs: route.method === 'tasks/result' ? RESULT_MS : undefined,
      onProgress: progressRelay(call.params, () => call.reply),
      onNotification: (notification) => {
        if (isOfCall(notification)) call.reply.notify(renameNotification(notification, rename));
      },
      onRequest: askAboutTask(askThrough(call.reply), record),
    }),
  );
  if (!isJsonObject(result)) return result;
  if (route.method !== 'tasks/result') ledger.note(record, result);
  const renamed = renameTasks(result, rename);
  return call.client.revision.era === 'modern' && renamed['resultType'] === undefined
    ? withModernEnvelope(route.method, renamed, { serverInfo: lease.facts.serverInfo })
    : renamed;
};
