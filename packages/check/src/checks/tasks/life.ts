import { at, isObject, listAt, show } from '../../connection/json.js';
import { defineCheck } from '../../model/check.js';
import { broken, doubtful, holds, notApplicable, notVerified, type Finding } from '../../model/finding.js';
import { describe, type Answer } from '../../session/answer.js';
import { judged, type Flaw } from '../instrument/judge.js';
import { waiting } from '../instrument/slow-call.js';
import { extension, inEras, legacyTasks, TASKS } from './source.js';
import { begin, follow, isOver, tasking, type Tasking } from './tasking.js';
import type { Probe } from '../../probe/probe.js';

const STATUSES: ReadonlySet<unknown> = new Set(['working', 'input_required', 'completed', 'failed', 'cancelled']);
export const NOT_OVER = notVerified(
  'No task ended in time.',
  'a tool whose task ends within a few seconds: --allow name',
);

/** A task that has come to its end, and every look at it. */
export const finished = async (probe: Probe, { session, tools }: Tasking) => {
  for (const tool of tools) {
    const task = await begin(probe, session, { tool, args: tool.arguments[0] ?? {} });
    if (task === undefined) continue;
    const looks = await follow(probe, session, task.id);
    if (isOver(looks.at(-1)?.result)) return { tool, task, looks };
  }
  return undefined;
};

export const legalStates = defineCheck({
  ...TASKS,
  id: 'TSK-03',
  inSequence: true,
  title: 'a task has only valid states, and stays in its final one',
  level: 'MUST',
  since: '2025-11-25',
  tier: 'standard',
  source: inEras(
    legacyTasks(
      'task-status-lifecycle',
      'Tasks with a completed, failed, or cancelled status are in a terminal state and MUST NOT transition to any other status',
    ),
    extension(
      'task-status',
      'Upon receiving a tasks/get request, the server MUST check the status of the task and respond accordingly',
    ),
  ),
  remedy: 'Never leave a final state, and only ever increase lastUpdatedAt.',
  run: tasking(async (probe, tasks) => {
    const done = await finished(probe, tasks);
    if (done === undefined) return NOT_OVER;
    const { looks, task } = done;
    const later = [
      await tasks.session.request('tasks/get', { taskId: task.id }),
      await tasks.session.request('tasks/get', { taskId: task.id }),
    ];
    const last = looks.at(-1)?.result?.['status'];
    const flaws: Flaw[] = [];
    let updated = String(task.task['lastUpdatedAt']);
    for (const answer of [...looks, ...later]) {
      const { exchange, result } = answer;
      if (result === undefined) continue;
      const { status, lastUpdatedAt, createdAt } = result;
      if (!STATUSES.has(status)) flaws.push({ detail: `A status is ${show(status)}.`, exchange });
      if (createdAt !== task.task['createdAt']) flaws.push({ detail: 'createdAt changes.', exchange, beyond: true });
      if (Date.parse(String(lastUpdatedAt)) < Date.parse(updated)) {
        flaws.push({ detail: 'lastUpdatedAt decreases.', exchange, beyond: true });
      }
      updated = String(lastUpdatedAt);
    }
    for (const { result, exchange } of later) {
      if (result !== undefined && result['status'] !== last) {
        flaws.push({ detail: `After ${show(last)} it is ${show(result['status'])}.`, exchange });
      }
    }
    return judged(flaws, 'valid states, and none after the final one');
  }),
});

/** The result of a task: modern inline, legacy by a request of its own. */
const resultOf = async (
  probe: Probe,
  { session }: Tasking,
  last: Answer,
  taskId: string,
): Promise<{ readonly answer: Answer; readonly result: unknown }> => {
  if (probe.era === 'modern') return { answer: last, result: at(last.result, 'result') };
  const answer = await session.request('tasks/result', { taskId });
  return { answer, result: answer.result };
};

const RELATED = 'io.modelcontextprotocol/related-task';

export const resultArrives = defineCheck({
  ...TASKS,
  id: 'TSK-04',
  inSequence: true,
  title: 'a completed task has the same result as the call without a task',
  level: 'MUST',
  since: '2025-11-25',
  tier: 'standard',
  source: inEras(
    legacyTasks(
      'result-retrieval',
      'For tasks in a terminal status, receivers MUST return from tasks/result exactly what the underlying request would have returned, whether that is a successful result or a JSON-RPC error.',
    ),
    extension(
      'task-polling',
      'If the status is completed, the server MUST return a Task object with status completed and a result field containing the final result of the task.',
    ),
  ),
  remedy:
    'Store the result of the call, and return it unchanged: in tasks/result (legacy), as result of tasks/get (modern).',
  run: tasking(async (probe, tasks) => {
    const done = await finished(probe, tasks);
    const last = done?.looks.at(-1);
    if (done === undefined || last === undefined || last.result?.['status'] !== 'completed') return NOT_OVER;
    const { answer, result } = await resultOf(probe, tasks, last, done.task.id);
    const { exchange } = answer;
    // An error may be what the call itself would have come to.
    if (answer.error !== undefined) {
      const detail = `The task is completed, and its result is ${describe(answer)}.`;
      return doubtful({ detail, expected: 'the result of tools/call', exchange });
    }
    if (!isObject(result) || !Array.isArray(result['content'])) {
      const detail =
        result === undefined ? `The result is missing: ${describe(answer)}.` : 'The result has no content.';
      return broken({ detail, expected: 'the result of tools/call', exchange });
    }
    if (probe.era === 'legacy' && at(result, '_meta', RELATED, 'taskId') !== done.task.id) {
      return broken({ detail: `_meta has no ${RELATED}.`, expected: `${RELATED} with the taskId`, exchange });
    }
    const kinds = listAt(result, 'content').map((block) => at(block, 'type'));
    return kinds.every((kind) => typeof kind === 'string')
      ? holds()
      : broken({ detail: `The content is ${show(result['content'])}.`, expected: 'blocks of content', exchange });
  }),
});

/** A task that runs long enough to be cancelled. */
const longTask = async (probe: Probe, { session, tools }: Tasking) => {
  for (const tool of tools) {
    const slow = waiting(tool, 20_000);
    const task = slow === undefined ? undefined : await begin(probe, session, { tool, args: slow.args });
    if (task !== undefined) return task;
  }
  return undefined;
};

const cancelledLegacy = async (session: Tasking['session'], taskId: string, first: Answer): Promise<Finding> => {
  const { exchange } = first;
  const expected = 'the task with status cancelled';
  if (first.result?.['status'] !== 'cancelled') {
    return broken({
      detail: `tasks/cancel was answered with ${describe(first)}, ${show(first.result?.['status'])}.`,
      expected,
      exchange,
    });
  }
  const look = await session.request('tasks/get', { taskId });
  if (look.result !== undefined && look.result['status'] !== 'cancelled') {
    return broken({ detail: `Afterwards it is ${show(look.result['status'])}.`, expected, exchange: look.exchange });
  }
  const second = await session.request('tasks/cancel', { taskId });
  if (second.error?.code === -32602) return holds();
  return broken({
    detail: `Cancelling it again was answered with ${describe(second)}.`,
    expected: 'error -32602',
    exchange: second.exchange,
  });
};

export const canBeCancelled = defineCheck({
  ...TASKS,
  id: 'TSK-05',
  inSequence: true,
  title: 'a task can be cancelled, and stays cancelled',
  level: 'MUST',
  since: '2025-11-25',
  tier: 'standard',
  source: inEras(
    legacyTasks(
      'task-cancellation',
      'Upon receiving a valid cancellation request, receivers SHOULD attempt to stop the task execution and MUST transition the task to cancelled status before sending the response.',
    ),
    extension('task-cancellation', 'The server MUST acknowledge the request with an empty result.'),
  ),
  remedy:
    'Legacy: answer with the cancelled task, and reject a second cancellation with -32602. Modern: answer with an empty result.',
  run: tasking(async (probe, tasks) => {
    const { session } = tasks;
    if (probe.era === 'legacy' && !isObject(at(session.capabilities, 'tasks', 'cancel'))) {
      return notApplicable('The server does not declare tasks.cancel.');
    }
    const task = await longTask(probe, tasks);
    if (task === undefined) {
      return notVerified('No task runs long enough.', 'a tool that runs as a task for a few seconds: --allow name');
    }
    const answer = await session.request('tasks/cancel', { taskId: task.id });
    if (probe.era === 'legacy') return await cancelledLegacy(session, task.id, answer);
    const members = Object.keys(answer.result ?? {}).filter((name) => name !== 'resultType' && name !== '_meta');
    if (answer.result !== undefined && members.length === 0) return holds();
    return broken({
      detail: `tasks/cancel was answered with ${describe(answer)}${members.length > 0 ? ` with ${members.join(', ')}` : ''}.`,
      expected: 'an empty result',
      exchange: answer.exchange,
    });
  }),
});
