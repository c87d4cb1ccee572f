import { setTimeout as sleepFor } from 'node:timers/promises';
import type { FakeServerOptions, MethodHandler } from '../definition/server-options.js';
import type { FakeTool } from '../definition/tool.js';
import type { FakeCall } from '../definition/tool-call.js';
import { TaskBook, type WorkContext } from '../fixture/conformance/task-book.js';
import { knowsTasks, taskMethods, TASKS_EXTENSION } from '../fixture/conformance/task-tools.js';
import { beginLegacy, legacyTaskMethods } from '../fixture/legacy-tasks.js';
import { isObject, type JsonObject } from '../json-rpc/message.js';
import { METHOD_NOT_FOUND, MISSING_CAPABILITY, RpcError } from '../json-rpc/rpc-error.js';
import { numberOf, textResult } from '../stock/argument.js';
import type { Mutation } from './mutation/mutation.js';
import { eraOf } from './params.js';
import { READ_ONLY, strictTool } from './strict-tool.js';

type Work = (args: JsonObject, context: WorkContext) => Promise<JsonObject>;

const MS = { type: 'integer', minimum: 0, maximum: 60_000, description: 'How many milliseconds it takes.' } as const;
const DEFAULT_MS = 30;

const compute: Work = async (args, { signal }) => {
  await sleepFor(numberOf(args, 'ms', DEFAULT_MS), undefined, { signal, ref: false });
  return textResult('computed');
};

const FORM = { type: 'object', properties: { name: { type: 'string', title: 'Name' } }, required: ['name'] };

const askName: Work = async (_args, { ask }) => {
  const params = { mode: 'form', message: 'Your name?', requestedSchema: FORM };
  const { name } = await ask({ name: { method: 'elicitation/create', params } });
  return textResult(JSON.stringify(name ?? 'nothing'));
};

const refuseSynchronous = (era: FakeCall['era']): never => {
  if (era === 'legacy') throw new RpcError(METHOD_NOT_FOUND, 'This tool runs only as a task');
  throw new RpcError(MISSING_CAPABILITY, 'This tool runs only as a task', {
    data: { requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } } },
    httpStatus: 400,
  });
};

const begin = (book: TaskBook, work: (context: WorkContext) => Promise<JsonObject>, call: FakeCall) =>
  call.era === 'legacy' ? beginLegacy(book)(work, call) : knowsTasks(call) ? book.start(work) : undefined;

const taskTools = (book: TaskBook): readonly FakeTool[] => {
  const tool = (name: string, description: string, work: Work, support: 'optional' | 'required'): FakeTool =>
    strictTool({
      name,
      title: name,
      description,
      annotations: READ_ONLY,
      parameters: name === 'ask_in_job' ? {} : { ms: MS },
      extra: { execution: { taskSupport: support } },
      handler: (args, call) => {
        const task = begin(book, (context) => work(args, context), call);
        if (task !== undefined) return task;
        if (support === 'required') return refuseSynchronous(call.era);
        return work(args, { signal: call.signal, ask: (questions) => call.ask(questions), isTask: false });
      },
    });
  return [
    tool('run_job', 'Computes for a while; it can run as a task.', compute, 'optional'),
    tool('run_long_job', 'Computes for a while, and only as a task.', compute, 'required'),
    tool('ask_in_job', 'Asks for a name while it runs; it can run as a task.', askName, 'optional'),
  ];
};

/** Each era has its own methods of the same names. */
const methodsOf = (book: TaskBook): Readonly<Record<string, MethodHandler>> => {
  const { 'tasks/list': _list, ...legacy } = legacyTaskMethods(book);
  const modern = taskMethods(book);
  const unknown = (): never => {
    throw new RpcError(METHOD_NOT_FOUND, 'Method not found', { httpStatus: 404 });
  };
  const names = new Set([...Object.keys(legacy), ...Object.keys(modern)]);
  return Object.fromEntries(
    [...names].map((name): [string, MethodHandler] => [
      name,
      (params, call) => ((call.era === 'legacy' ? legacy : modern)[name] ?? unknown)(params, call),
    ]),
  );
};

const CAPABILITY = { cancel: {}, requests: { tools: { call: {} } } };

/** Legacy clients read of tasks among the capabilities and in the tools; modern ones do not. */
const inEra: NonNullable<Mutation['toClient']> = (message, { request }) => {
  const { result } = message;
  if (!isObject(result)) return message;
  if (request?.['method'] === 'initialize' && isObject(result['capabilities'])) {
    return { ...message, result: { ...result, capabilities: { ...result['capabilities'], tasks: CAPABILITY } } };
  }
  if (request?.['method'] !== 'tools/list' || eraOf(request) === 'legacy' || !Array.isArray(result['tools'])) {
    return message;
  }
  const tools = result['tools'].map((tool: unknown) => {
    const { execution: _execution, ...rest } = isObject(tool) ? tool : {};
    return rest;
  });
  return { ...message, result: { ...result, tools } };
};

const tasked = (options: FakeServerOptions): FakeServerOptions => {
  const book = new TaskBook();
  return {
    ...options,
    tools: [...(options.tools ?? []), ...taskTools(book)],
    methods: { ...options.methods, ...methodsOf(book) },
    extensions: { ...options.extensions, [TASKS_EXTENSION]: {} },
  };
};

/** The reference with tools that run as tasks, by the rules of each era, and a defect. */
export const withTasks = (defect: Mutation = {}): Mutation => ({
  ...defect,
  options: (options) => {
    const own = tasked(options);
    return defect.options?.(own) ?? own;
  },
  toClient: (message, context) => {
    const own = inEra(message, context);
    return defect.toClient === undefined || own === undefined || Array.isArray(own)
      ? own
      : defect.toClient(own as JsonObject, context);
  },
});
