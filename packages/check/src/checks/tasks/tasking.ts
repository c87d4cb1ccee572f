import type { CheckEra } from '@plugboard/contract';
import { pause } from '../../connection/deadline.js';
import { at, isObject, type JsonObject } from '../../connection/json.js';
import { notApplicable, notVerified, type Finding } from '../../model/finding.js';
import type { Probe } from '../../probe/probe.js';
import type { CallableTool } from '../../calls/tool.js';
import type { Answer } from '../../session/answer.js';
import type { Session, SessionOptions } from '../../session/session.js';
import { responsive } from '../instrument/exercise.js';

export const EXTENSION = 'io.modelcontextprotocol/tasks';
const TERMINAL: ReadonlySet<unknown> = new Set(['completed', 'failed', 'cancelled']);
const MAX_WAIT_MS = 5_000;
const MAX_POLL_MS = 100;
const TTL_MS = 60_000;

/** A client of this era that knows tasks. */
export const TASK_CLIENT: Readonly<Record<CheckEra, JsonObject>> = {
  legacy: { elicitation: { form: {} } },
  modern: { elicitation: { form: {} }, extensions: { [EXTENSION]: {} } },
};

/** What the server declares of tasks, by the means of the era. */
export const declaredTasks = ({ era, capabilities }: Session): unknown =>
  era === 'legacy' ? at(capabilities, 'tasks') : at(capabilities, 'extensions', EXTENSION);

/** A task as an answer shows it, and the answer. */
export interface SeenTask {
  readonly id: string;
  readonly task: JsonObject;
  readonly answer: Answer;
}

const taskIn = (answer: Answer): JsonObject | undefined => {
  const { result } = answer;
  const inner = at(result, 'task');
  if (isObject(inner)) return inner;
  return at(result, 'resultType') === 'task' ? result : undefined;
};

/** Calls a tool so that it becomes a task; undefined when it answers at once. */
export const begin = async (
  probe: Probe,
  session: Session,
  { tool, args }: { readonly tool: CallableTool; readonly args: JsonObject },
): Promise<SeenTask | undefined> => {
  const answer =
    session.era === 'modern'
      ? await probe.call(session, tool, args)
      : await session.request('tools/call', { name: tool.name, arguments: args, task: { ttl: TTL_MS } });
  const task = taskIn(answer);
  return task === undefined ? undefined : { id: String(task['taskId']), task, answer };
};

export const isOver = (task: JsonObject | undefined): boolean => TERMINAL.has(task?.['status']);

/** Looks at a task until it is over, wants something, or time is up; every look is kept. */
export const follow = async (probe: Probe, session: Session, taskId: string): Promise<readonly Answer[]> => {
  const looks: Answer[] = [];
  const until = performance.now() + Math.min(MAX_WAIT_MS, probe.target.budgets.checkMs / 4);
  while (performance.now() < until && !probe.signal.aborted) {
    const answer = await session.request('tasks/get', { taskId });
    looks.push(answer);
    if (answer.result === undefined || isOver(answer.result) || answer.result['status'] === 'input_required') break;
    const interval = answer.result['pollInterval'] ?? answer.result['pollIntervalMs'];
    await pause(Math.min(typeof interval === 'number' ? interval : MAX_POLL_MS, MAX_POLL_MS), probe.signal);
  }
  return looks;
};

const mayBeTask = ({ definition }: CallableTool, era: CheckEra): boolean =>
  era === 'modern' || /^(?:optional|required)$/u.test(String(at(definition, 'execution', 'taskSupport')));

/** The tools that may be called and become tasks; determined once. */
export const taskTools = (probe: Probe): Promise<readonly CallableTool[]> =>
  probe.once('task tools', async () => {
    const session = await probe.open({ capabilities: TASK_CLIENT[probe.era] });
    const found: CallableTool[] = [];
    // A tool that runs only as a task may well refuse those who know none, so those that were silent are left out.
    for (const tool of await responsive(probe)) {
      if (!mayBeTask(tool, probe.era)) continue;
      const task = await begin(probe, session, { tool, args: tool.arguments[0] ?? {} });
      if (task !== undefined) found.push(tool);
    }
    return found;
  });

export const NO_TASKS = notApplicable('The server does not declare tasks.');
const NOTHING_TASKED = notVerified(
  'No tool that may be called becomes a task.',
  'a tool that runs as a task: --allow \'name={"key":"value"}\'',
);

export interface Tasking {
  readonly session: Session;
  readonly tools: readonly [CallableTool, ...(readonly CallableTool[])];
  readonly open: (options?: Partial<SessionOptions>) => Promise<Session>;
}

/** Judges a server that declares tasks, with tools that become some. */
export const tasking =
  (judge: (probe: Probe, tasking: Tasking) => Promise<Finding>) =>
  async (probe: Probe): Promise<Finding> => {
    if (declaredTasks(probe.session()) === undefined) return NO_TASKS;
    const [first, ...rest] = await taskTools(probe);
    if (first === undefined) return NOTHING_TASKED;
    const open = (options: Partial<SessionOptions> = {}) =>
      probe.open({ capabilities: TASK_CLIENT[probe.era], ...options });
    return await judge(probe, { session: await open(), tools: [first, ...rest], open });
  };
