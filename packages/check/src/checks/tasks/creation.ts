import { at, isObject, show } from '../../connection/json.js';
import { defineCheck } from '../../model/check.js';
import { broken, doubtful, holds, notVerified } from '../../model/finding.js';
import type { CallableTool } from '../../calls/tool.js';
import { describe, type Answer } from '../../session/answer.js';
import type { Session } from '../../session/session.js';
import { exercise } from '../instrument/exercise.js';
import { judged, type Flaw } from '../instrument/judge.js';
import { isTrouble } from '../instrument/server-down.js';
import { extension, inEras, legacyTasks, TASKS } from './source.js';
import { begin, declaredTasks, EXTENSION, NO_TASKS, TASK_CLIENT, tasking } from './tasking.js';

export const declaredByEra = defineCheck({
  ...TASKS,
  id: 'TSK-01',
  title: 'tasks are declared as the era defines, and in no other way',
  level: 'MUST',
  since: '2025-11-25',
  tier: 'standard',
  source: inEras(
    legacyTasks(
      'capabilities',
      'Servers and clients that support task-augmented requests MUST declare a tasks capability during initialization.',
    ),
    extension(
      'backward-compatibility',
      'The legacy capability is not part of this extension. Servers MUST treat clients declaring only the legacy capability as non-declaring with respect to this extension.',
    ),
  ),
  remedy: `Declare capabilities.tasks up to 2025-11-25, and the extension ${EXTENSION} from 2026-07-28 on.`,
  async run(probe) {
    const session = probe.session();
    const { capabilities, opening } = session;
    const [legacy, modern] = [at(capabilities, 'tasks'), at(capabilities, 'extensions', EXTENSION)];
    const own = declaredTasks(session);
    const foreign = probe.era === 'legacy' ? modern : legacy;
    if (own === undefined && foreign === undefined) return NO_TASKS;
    const expected = probe.era === 'legacy' ? 'capabilities.tasks alone' : `the extension ${EXTENSION} alone`;
    if (foreign !== undefined) {
      const detail = 'Tasks are declared as the other era defines.';
      return broken({ detail, expected, exchange: opening.exchange });
    }
    if (isObject(own)) return holds();
    return broken({ detail: `The declaration is ${show(own)}.`, expected: 'an object', exchange: opening.exchange });
  },
});

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/u;
const LEAST_CHARACTERS = 16;

/** What is wrong with a task that has just begun. */
const flawsOf = (task: Readonly<Record<string, unknown>>, legacy: boolean): readonly string[] => {
  const [ttl, poll] = legacy ? ['ttl', 'pollInterval'] : ['ttlMs', 'pollIntervalMs'];
  const { taskId, status, createdAt, lastUpdatedAt } = task;
  const isWhole = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0;
  const begun = legacy
    ? status === 'working'
    : ['working', 'input_required', 'completed', 'failed', 'cancelled'].includes(String(status));
  return [
    ...(typeof taskId === 'string' && taskId !== '' ? [] : [`taskId is ${show(taskId)}.`]),
    ...(begun ? [] : [`status is ${show(status)}.`]),
    ...[createdAt, lastUpdatedAt].filter((time) => !ISO.test(String(time))).map((time) => `A time is ${show(time)}.`),
    ...(task[ttl] === null || isWhole(task[ttl]) ? [] : [`${ttl} is ${show(task[ttl])}.`]),
    ...(task[poll] === undefined || isWhole(task[poll]) ? [] : [`${poll} is ${show(task[poll])}.`]),
  ];
};

export const wellBegun = defineCheck({
  ...TASKS,
  id: 'TSK-02',
  title: 'a new task has an unguessable id, a valid status, times and a lifetime',
  level: 'MUST',
  since: '2025-11-25',
  tier: 'standard',
  source: inEras(
    legacyTasks('task-id-requirements', 'Task IDs MUST be unique among all tasks controlled by the receiver.'),
    extension(
      'security-implications',
      'Servers MUST generate them with sufficient entropy that a third party cannot enumerate or guess them.',
    ),
  ),
  remedy: 'Use random UUIDs as ids, and send status, createdAt, lastUpdatedAt and the lifetime with every task.',
  run: tasking(async (probe, { session, tools: [tool] }) => {
    const flaws: Flaw[] = [];
    const ids = new Set<string>();
    for (let round = 0; round < 3; round += 1) {
      const seen = await begin(probe, session, { tool, args: tool.arguments[0] ?? {} });
      if (seen === undefined) continue;
      const { exchange } = seen.answer;
      flaws.push(...flawsOf(seen.task, probe.era === 'legacy').map((detail) => ({ detail, exchange })));
      if (ids.has(seen.id)) flaws.push({ detail: `Two tasks have the id ${seen.id}.`, exchange });
      ids.add(seen.id);
    }
    const short = [...ids].find((id) => id.length < LEAST_CHARACTERS || /^[a-z_-]*\d{1,12}$/iu.test(id));
    if (flaws.length === 0 && short !== undefined) {
      return doubtful({ detail: `"${short}" can be guessed.`, expected: 'at least 128 random bits' });
    }
    return judged(flaws, 'a new task that follows the specification');
  }),
});

interface Untasked {
  /** Undefined when there was nothing to try. */
  readonly answer: Answer | undefined;
  readonly right: boolean;
  /** It is wrong, and not what the sentence forbids. */
  readonly beyond?: boolean;
}

/** Legacy: calls a tool without the task that it must have. Modern: with a member that means nothing there. */
const withoutTask = async (
  session: Session,
  { name, definition, arguments: [args = {}] }: CallableTool,
): Promise<Untasked> => {
  if (session.era === 'modern') {
    const answer = await session.request('tools/call', { name, arguments: args, task: { ttl: 1_000 } });
    const isTask = at(answer.result, 'resultType') === 'task';
    const isRefused = answer.error !== undefined && answer.error.code !== -32021;
    // An error may have another cause: the sentence forbids a task.
    return { answer, right: !isRefused && !isTask, beyond: !isTask };
  }
  if (at(definition, 'execution', 'taskSupport') !== 'required') return { answer: undefined, right: true };
  const answer = await session.request('tools/call', { name, arguments: args });
  return { answer, right: answer.error?.code === -32601 };
};

export const tasksOnlyWhereMeant = defineCheck({
  ...TASKS,
  id: 'TSK-11',
  title: 'a tool that requires a task runs as one, and a client that does not request a task gets none',
  level: 'MUST',
  since: '2025-11-25',
  tier: 'standard',
  source: inEras(
    legacyTasks(
      'tool-level-negotiation',
      'If execution.taskSupport is "required", clients MUST invoke the tool as a task. Servers MUST return a -32601 (Method not found) error if a client does not attempt to do so.',
    ),
    extension(
      'capability-negotiation',
      'A server MUST NOT return CreateTaskResult to a client that did not include the extension capability on its request, regardless of prior declarations.',
    ),
  ),
  remedy: 'Legacy: reject such a call with -32601. Modern: ignore the member task; only the extension counts.',
  run: tasking(async (probe, { tools }) => {
    const session = await probe.open();
    const flaws: Flaw[] = [];
    for (const tool of tools) {
      const { answer, right, beyond } = await withoutTask(session, tool);
      if (answer !== undefined && !right) {
        const came = at(answer.result, 'resultType') === 'task' ? 'a task' : describe(answer);
        flaws.push({ detail: `${tool.name} was answered with ${came}.`, exchange: answer.exchange, beyond });
      }
    }
    return judged(flaws, probe.era === 'legacy' ? 'error -32601' : 'the answer as without it');
  }),
});

export const undeclaredRefused = defineCheck({
  ...TASKS,
  eras: ['modern'],
  id: 'TSK-07',
  title: 'a client that did not declare tasks gets none, and an error names the missing capability',
  level: 'MUST',
  tier: 'standard',
  source: extension(
    'protocol-errors',
    'Servers MUST return this error for non-declaring clients issuing tasks/get, tasks/update, and tasks/cancel requests.',
  ),
  remedy: 'Answer with -32021 and data.requiredCapabilities.extensions to clients without the extension.',
  async run(probe) {
    if (declaredTasks(probe.session()) === undefined) return NO_TASKS;
    const session = await probe.open();
    const declaring = await probe.open({ capabilities: TASK_CLIENT.modern });
    const flaws: Flaw[] = [];
    let judgedMethods = 0;
    for (const method of ['tasks/get', 'tasks/cancel']) {
      const ask = (client: Session) => client.request(method, { taskId: 'no-such-task' });
      const answer = await ask(session);
      const named = isObject(at(answer.error?.data, 'requiredCapabilities', 'extensions', EXTENSION));
      const isRight = answer.error?.code === -32021 && named;
      // The control: a client that declared tasks does not run into the same trouble.
      if (!isRight && isTrouble(answer) && isTrouble(await ask(declaring))) continue;
      judgedMethods += 1;
      if (!isRight) {
        flaws.push({ detail: `${method} was answered with ${describe(answer)}.`, exchange: answer.exchange });
      }
    }
    if (judgedMethods === 0) return notVerified('Every request about tasks fails.', 'a server whose tasks work');
    const forced = (await exercise(probe)).filter(({ answer }) => at(answer?.result, 'resultType') === 'task');
    flaws.push(
      ...forced.map(({ tool, answer }) => ({ detail: `${tool.name} became a task.`, exchange: answer?.exchange })),
    );
    return judged(flaws, 'error -32021 that names the extension');
  },
});
