import { anySignal } from '@plugboard/base';
import { McpClientError } from '@plugboard/client';
import { isJsonObject, type JsonObject } from '@plugboard/wire';
import { withModernEnvelope } from '../../rpc/era-members.js';
import { toModernError } from '../bridge/error-code.js';
import { type Outcome, ParkedCall, type Turn } from '../bridge/parked-call.js';
import { failureOf } from '../../rpc/failure-of.js';
import { objectAt, withMeta } from '../../rpc/members.js';
import { methodNotFound } from '../../rpc/rpc-refusal.js';
import { askServer, RESULT_MS, type TaskRequest } from './task-request.js';
import { isOver, RELATED_TASK, toModernTask } from './task-shape.js';

/** How long one who looks at a task waits for questions that the server says it has. */
const QUESTIONS_MS = 1000;

const ask = (request: TaskRequest, method: string): Promise<unknown> =>
  askServer(request, method, { taskId: request.record.address.taskId });

/** The server's own words, or a failure of the way to it: only the former is an outcome of the task. */
const isAnswer = (thrown: unknown): boolean => thrown instanceof McpClientError && thrown.rpc !== undefined;

/** Waits at the server for the result: it asks its questions on that request alone. */
const wait = (request: TaskRequest): ParkedCall => {
  const { call, record, lease } = request;
  if (record.parked !== undefined) return record.parked;
  const parked = new ParkedCall(call.client.capabilities, {});
  record.parked = parked;
  const letGo = lease.link.hold();
  const params = { taskId: record.address.taskId };
  const options = {
    signal: parked.signal,
    deadlineMs: RESULT_MS,
    onRequest: (request: Parameters<ParkedCall['ask']>[0]) => parked.ask(request),
  };
  parked.follow(
    askServer(request, 'tasks/result', params, options)
      .catch((thrown: unknown) => {
        if (!isAnswer(thrown)) record.parked = undefined;
        throw thrown;
      })
      .finally(letGo),
  );
  return parked;
};

const turnWithin = async (request: TaskRequest, ms?: number): Promise<Turn | undefined> => {
  const { signal } = request.call;
  const bounded = ms === undefined ? signal : anySignal(signal, AbortSignal.timeout(ms));
  const turn = await wait(request).turn(bounded);
  return bounded.aborted ? undefined : turn;
};

const withoutRelated = (result: JsonObject): JsonObject =>
  withMeta(result, ({ [RELATED_TASK]: _related, ...meta }) => meta);

/** Failures of a tool are results in the modern era; only failures of the protocol make a task fail. */
const outcomeMembers = (outcome: Outcome): JsonObject =>
  outcome.kind === 'result'
    ? { status: 'completed', result: isJsonObject(outcome.result) ? withoutRelated(outcome.result) : {} }
    : { status: 'failed', error: failureOf(toModernError(outcome.thrown)) };

const detailsOf = async (request: TaskRequest, task: JsonObject): Promise<JsonObject> => {
  const { record } = request;
  if (task['status'] === 'input_required') {
    const turn = await turnWithin(request, QUESTIONS_MS);
    return turn?.kind === 'questions' ? { inputRequests: turn.questions } : { status: 'working' };
  }
  if (!isOver(task) || task['status'] === 'cancelled') return {};
  const turn = record.outcome ?? (await turnWithin(request));
  if (turn === undefined || turn.kind === 'questions') return { status: 'working' };
  if (turn.kind === 'failure' && !isAnswer(turn.thrown)) throw turn.thrown;
  record.outcome = turn;
  return outcomeMembers(turn);
};

const look = async (request: TaskRequest): Promise<JsonObject> => {
  const { record, ledger } = request;
  const task = await ask(request, 'tasks/get');
  ledger.note(record, task);
  return isJsonObject(task) ? task : {};
};

/** The whole task as tasks/get of the modern era shows it, with its questions or what came of it. */
export const detailedTask = async (request: TaskRequest): Promise<JsonObject> => {
  const task = await look(request);
  return { ...toModernTask(task), taskId: request.record.handle, ...(await detailsOf(request, task)) };
};

const update = (request: TaskRequest): JsonObject => {
  request.record.parked?.answer(objectAt(request.call.params, 'inputResponses'));
  return {};
};

/** A modern client need not know whether the task was over before; a legacy server would refuse. */
const cancel = async (request: TaskRequest): Promise<JsonObject> => {
  if (!isOver(await look(request))) request.ledger.note(request.record, await ask(request, 'tasks/cancel'));
  return {};
};

const answer = async (request: TaskRequest): Promise<JsonObject> => {
  switch (request.route.method) {
    case 'tasks/get':
      return detailedTask(request);
    case 'tasks/update':
      return update(request);
    case 'tasks/cancel':
      return cancel(request);
    default:
      throw methodNotFound(request.route.method);
  }
};

/** Modern client, legacy server. */
export const legacyTaskForModern = async (request: TaskRequest): Promise<JsonObject> =>
  withModernEnvelope(request.route.method, await answer(request), { serverInfo: request.lease.facts.serverInfo });
