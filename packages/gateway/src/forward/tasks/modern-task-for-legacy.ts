import { setTimeout } from 'node:timers/promises';
import { McpProtocolError } from '@plugboard/client';
import { PlugboardError } from '@plugboard/contract';
import { isJsonObject, type JsonObject, META_KEY } from '@plugboard/wire';
import { toModernCapabilities } from '../bridge/client-capability.js';
import { withoutModernEnvelope } from '../../rpc/era-members.js';
import { questionOf, toLegacyQuestion } from '../bridge/question.js';
import { toLegacyToolResult } from '../bridge/structured-output.js';
import type { McpCall } from '../../call/mcp-call.js';
import { objectAt } from '../../rpc/members.js';
import { protocolFault } from '../../rpc/protocol-fault.js';
import { invalidParams, methodNotFound } from '../../rpc/rpc-refusal.js';
import type { ServerTool } from '../../call/offered-tool.js';
import { askServer, RESULT_MS, type TaskRequest } from './task-request.js';
import { isOver, toLegacyTask, withRelated } from './task-shape.js';
import { MODERN_TASKS } from '../../connection/task-support.js';

const DEFAULT_POLL_MS = 1000;
const MIN_POLL_MS = 50;
const MAX_POLL_MS = 5000;

/** What a modern request on behalf of a legacy client declares: a client that follows tasks supports tasks. */
export const taskMeta = ({ client, reply }: McpCall): JsonObject => {
  const capabilities = reply.ask === undefined ? {} : toModernCapabilities(client.capabilities);
  return {
    [META_KEY.clientCapabilities]: {
      ...capabilities,
      extensions: { ...objectAt(capabilities, 'extensions'), ...MODERN_TASKS },
    },
    ...(client.clientInfo === undefined ? {} : { [META_KEY.clientInfo]: client.clientInfo }),
  };
};

/** The result of a tool as a legacy client takes it. */
export const legacyOutcome = (result: JsonObject, { upstreamDefinition }: ServerTool): JsonObject =>
  toLegacyToolResult(withoutModernEnvelope(result), upstreamDefinition.outputSchema);

const ask = (request: TaskRequest, method: string, params: JsonObject = {}): Promise<unknown> =>
  askServer(request, method, {
    ...params,
    taskId: request.record.address.taskId,
    _meta: taskMeta(request.call),
  });

const look = async (request: TaskRequest): Promise<JsonObject> => {
  const task = await ask(request, 'tasks/get');
  if (!isJsonObject(task)) throw protocolFault('The server did not return the task.');
  request.ledger.note(request.record, task);
  return request.record.cancelled ? { ...task, status: 'cancelled' } : task;
};

const shown = ({ record }: TaskRequest, task: JsonObject): JsonObject => ({
  ...toLegacyTask(task),
  taskId: record.handle,
});

/** A legacy client is asked while it waits for the result. */
const answerQuestions = async (request: TaskRequest, inputRequests: JsonObject): Promise<void> => {
  const { call, record } = request;
  const open = Object.entries(inputRequests).filter(([key]) => !record.asked.has(key));
  if (open.length === 0) return;
  const { ask: askClient } = call.reply;
  if (askClient === undefined) throw protocolFault('The task needs input, and the client cannot be asked.');
  const answers = await Promise.all(
    open.map(async ([key, value]) => {
      const question = questionOf(value);
      if (question === undefined) throw protocolFault('The task needs input without saying what for.');
      const { method, params } = toLegacyQuestion(question, call.client.revision);
      const answer = await askClient(method, withRelated(params ?? {}, record.handle), call.signal);
      return [key, answer] as const;
    }),
  );
  await ask(request, 'tasks/update', { inputResponses: Object.fromEntries(answers) });
  for (const [key] of open) record.asked.add(key);
};

const outcomeOf = ({ tool, record }: TaskRequest, task: JsonObject): JsonObject => {
  switch (task['status']) {
    case 'completed':
      return withRelated(legacyOutcome(objectAt(task, 'result'), tool), record.handle);
    case 'failed': {
      const { code, message, data } = objectAt(task, 'error');
      const said = typeof message === 'string' ? message : 'The task failed.';
      throw new McpProtocolError('UPSTREAM_PROTOCOL', said, {
        delivery: 'answered',
        rpc: { code: typeof code === 'number' ? code : -32603, message: said, ...(data === undefined ? {} : { data }) },
      });
    }
    default:
      throw new PlugboardError('CANCELLED', 'The task was cancelled.');
  }
};

/** tasks/result waits until the task is over; the modern era has no such method, so the hub looks again and again. */
const result = async (request: TaskRequest): Promise<JsonObject> => {
  const { signal } = request.call;
  const until = performance.now() + RESULT_MS;
  while (performance.now() < until) {
    const task = await look(request);
    if (isOver(task)) return outcomeOf(request, task);
    if (task['status'] === 'input_required') await answerQuestions(request, objectAt(task, 'inputRequests'));
    const poll = typeof task['pollIntervalMs'] === 'number' ? task['pollIntervalMs'] : DEFAULT_POLL_MS;
    await setTimeout(Math.min(Math.max(poll, MIN_POLL_MS), MAX_POLL_MS), undefined, { signal });
  }
  throw new PlugboardError('UPSTREAM_TIMEOUT', 'The task did not end in time.', { hint: 'Ask for its result again.' });
};

/** A legacy client is promised that a task is cancelled once it is told so; a modern server promises nothing. */
const cancel = async (request: TaskRequest): Promise<JsonObject> => {
  const task = await look(request);
  if (isOver(task)) throw invalidParams(`The task cannot be cancelled: it is ${String(task['status'])}.`);
  await ask(request, 'tasks/cancel');
  request.record.cancelled = true;
  return shown(request, { ...task, status: 'cancelled' });
};

/** Legacy client, modern server. */
export const modernTaskForLegacy = async (request: TaskRequest): Promise<JsonObject> => {
  switch (request.route.method) {
    case 'tasks/get':
      return shown(request, await look(request));
    case 'tasks/result':
      return result(request);
    case 'tasks/cancel':
      return cancel(request);
    default:
      throw methodNotFound(request.route.method);
  }
};
