import { isObject, type JsonObject } from '../json-rpc/message.js';
import { changeResult, defineMutant, without, type Mutant } from './mutant.js';
import type { Mutation, MutationContext } from './mutation/mutation.js';
import { errorFor, eraOf, paramsOf, resultFor } from './params.js';
import { withTasks } from './reference-tasks.js';

type Change = (task: JsonObject, context: MutationContext) => JsonObject;

/** Changes what an answer says of a task, wherever its revision puts it. */
const changeCreated = (change: Change): NonNullable<Mutation['toClient']> =>
  changeResult('tools/call', (result, context) => {
    if (isObject(result['task'])) return { ...result, task: change(result['task'], context) };
    return result['resultType'] === 'task' ? change(result, context) : result;
  });

const changeSeen = (change: Change): NonNullable<Mutation['toClient']> => changeResult('tasks/get', change);

const isTasks = ({ method }: JsonObject): boolean => String(method).startsWith('tasks/');

/** Begins again after its end. */
const restless = (): Mutation => {
  const ended = new Map<unknown, number>();
  return {
    toClient: changeSeen((task) => {
      if (task['status'] !== 'completed') return task;
      const seen = (ended.get(task['taskId']) ?? 0) + 1;
      ended.set(task['taskId'], seen);
      return seen > 1 ? { ...without(task, 'result'), status: 'working' } : task;
    }),
  };
};

/** Refuses requests for a task that began on another connection. */
const forgetful = (): Mutation => {
  const finished = new Set<unknown>();
  return {
    toClient: (message, { request }) => {
      const { result } = message;
      if (request?.['method'] !== 'tasks/get' || !isObject(result) || result['status'] !== 'completed') return message;
      const { taskId } = result;
      if (finished.has(taskId)) return errorFor(request, -32_602, 'Unknown task');
      finished.add(taskId);
      return message;
    },
  };
};

const mutant = (parts: Omit<Mutant, 'mutation'> & { readonly mutation: Mutation | (() => Mutation) }): Mutant =>
  defineMutant({
    ...parts,
    mutation: () => withTasks(typeof parts.mutation === 'function' ? parts.mutation() : parts.mutation),
  });

/** A task that nobody asked for. */
const FORCED = {
  taskId: '5f3f0a52-6a0b-4c3e-9d57-000000000001',
  status: 'working',
  createdAt: '2026-01-01T00:00:00Z',
  lastUpdatedAt: '2026-01-01T00:00:00Z',
  ttlMs: 1_000,
};

export const taskMutants: readonly Mutant[] = [
  mutant({
    name: 'tasks-of-the-other-era',
    kills: 'TSK-01',
    defect: 'Tasks are declared as the other era defines.',
    mutation: {
      toClient: (message) => {
        const { result } = message;
        if (!isObject(result) || !isObject(result['capabilities'])) return message;
        const { capabilities } = result;
        const extensions = { 'io.modelcontextprotocol/tasks': {} };
        const both = { ...capabilities, extensions, tasks: { requests: { tools: { call: {} } } } };
        return { ...message, result: { ...result, capabilities: both } };
      },
    },
  }),
  mutant({
    name: 'lifetime-of-a-task-is-a-text',
    kills: 'TSK-02',
    defect: 'The lifetime of a task is a text.',
    mutation: {
      toClient: changeCreated((task) => ('ttlMs' in task ? { ...task, ttlMs: 'long' } : { ...task, ttl: 'long' })),
    },
  }),
  mutant({
    name: 'task-begins-again',
    kills: 'TSK-03',
    alsoKills: ['TSK-04'],
    defect: 'A task that was completed works again.',
    mutation: restless,
  }),
  mutant({
    name: 'task-without-result',
    kills: 'TSK-04',
    alsoKills: ['TSK-08'],
    defect: 'A task that was completed has no result.',
    mutation: {
      toClient: (message, { request }) => {
        const { result } = message;
        if (!isObject(result)) return message;
        if (request?.['method'] === 'tasks/get') return { ...message, result: without(result, 'result') };
        return request?.['method'] === 'tasks/result' ? { ...message, result: without(result, 'content') } : message;
      },
    },
  }),
  mutant({
    name: 'cancel-is-refused',
    kills: 'TSK-05',
    defect: 'A task that runs cannot be cancelled.',
    mutation: {
      answer: (message) =>
        message['method'] === 'tasks/cancel' && !String(paramsOf(message)['taskId']).includes('no-such')
          ? errorFor(message, -32_603, 'Cannot cancel')
          : undefined,
    },
  }),
  mutant({
    name: 'unknown-task-is-an-internal-error',
    kills: 'TSK-06',
    defect: 'An unknown task is answered with -32603.',
    mutation: {
      toClient: (message, { request }) =>
        request !== undefined && isTasks(request) && isObject(message['error'])
          ? {
              ...message,
              error: {
                ...message['error'],
                code: message['error']['code'] === -32_602 ? -32_603 : message['error']['code'],
              },
            }
          : message,
    },
    alsoKills: ['TSK-05'],
  }),
  mutant({
    name: 'tasks-for-everybody',
    kills: 'TSK-07',
    defect: 'Clients that did not declare tasks may ask for them.',
    mutation: {
      toClient: (message, { request }) =>
        request !== undefined && isTasks(request) && isObject(message['error']) && message['error']['code'] === -32_021
          ? { ...message, error: { code: -32_602, message: 'Unknown task' } }
          : message,
    },
  }),
  mutant({
    name: 'answers-to-tasks-are-lost',
    kills: 'TSK-08',
    defect: 'The answers of a client to a task do not arrive.',
    mutation: {
      answer: (message) => (message['method'] === 'tasks/update' ? resultFor(message, {}) : undefined),
    },
  }),
  mutant({
    name: 'task-is-forgotten-early',
    kills: 'TSK-10',
    alsoKills: ['TSK-03'],
    defect: 'A task that was completed can be read once.',
    mutation: forgetful,
  }),
  mutant({
    name: 'task-tool-runs-at-once',
    kills: 'TSK-11',
    defect:
      'A tool that must run as a task can be called without one, and the task of a legacy client counts in the modern era.',
    mutation: {
      answer: (message) => {
        const params = paramsOf(message);
        if (message['method'] !== 'tools/call') return undefined;
        const content = [{ type: 'text', text: 'computed' }];
        if (eraOf(message) === 'modern') {
          return isObject(params['task']) ? resultFor(message, { resultType: 'task', ...FORCED }) : undefined;
        }
        return params['name'] === 'run_long_job' && params['task'] === undefined
          ? resultFor(message, { content })
          : undefined;
      },
    },
  }),
  mutant({
    name: 'task-dies-with-its-connection',
    kills: 'TSK-12',
    eras: ['modern'],
    defect: 'A task is known only to the client that began it.',
    mutation: {
      toClient: (message, { request }) => {
        const { name } =
          (paramsOf(request)['_meta'] as Record<string, JsonObject> | undefined)?.[
            'io.modelcontextprotocol/clientInfo'
          ] ?? {};
        return request?.['method'] === 'tasks/get' && name === 'plugboard-check-other'
          ? errorFor(request, -32_602, 'Unknown task')
          : message;
      },
    },
  }),
];
