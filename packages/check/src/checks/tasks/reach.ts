import { defineCheck, HTTP_ONLY } from '../../model/check.js';
import { broken, doubtful, holds, notVerified } from '../../model/finding.js';
import { endOfSequence } from '../../session/exchange.js';
import { describe } from '../../session/answer.js';
import { exampleArguments } from '../../generate/example.js';
import { questionsOf } from '../instrument/interview.js';
import { judged, type Flaw } from '../instrument/judge.js';
import { finished, NOT_OVER } from './life.js';
import { extension, inEras, legacyTasks, TASKS } from './source.js';
import { begin, follow, tasking, taskTools } from './tasking.js';

export const unknownTask = defineCheck({
  ...TASKS,
  id: 'TSK-06',
  title: 'an unknown task is answered with -32602',
  level: 'MUST',
  since: '2025-11-25',
  tier: 'standard',
  source: inEras(
    legacyTasks(
      'protocol-errors',
      'Receivers MUST return standard JSON-RPC errors for the following protocol error cases: Invalid or nonexistent taskId in tasks/get, tasks/result, or tasks/cancel: -32602 (Invalid params)',
    ),
    extension(
      'protocol-errors',
      'Invalid or nonexistent taskId: -32602 (Invalid params) […] Servers MUST return this error for tasks/get.',
    ),
  ),
  remedy: 'If the task is unknown, answer with -32602.',
  run: tasking(async (probe, tasks) => {
    const { session } = tasks;
    // The control: a task that exists is answered. Where none is, an error is not about the id.
    const known = (await finished(probe, tasks))?.task.id;
    const read = (method: string) => session.request(method, { taskId: known });
    const methods: string[] = [];
    for (const method of probe.era === 'legacy' ? ['tasks/get', 'tasks/result'] : ['tasks/get']) {
      if (known !== undefined && (await read(method)).result !== undefined) methods.push(method);
    }
    if (methods.length === 0) return NOT_OVER;
    const flaws: Flaw[] = [];
    for (const method of methods) {
      const answer = await session.request(method, { taskId: 'no-such-task-786a' });
      if (answer.error?.code !== -32602) {
        flaws.push({ detail: `${method} was answered with ${describe(answer)}.`, exchange: answer.exchange });
      }
    }
    return judged(flaws, 'error -32602');
  }),
});

export const answersReachTask = defineCheck({
  ...TASKS,
  eras: ['modern'],
  id: 'TSK-08',
  inSequence: true,
  title: 'a task that asks for input continues when it gets the input, and never reuses a key',
  level: 'MUST',
  tier: 'standard',
  source: extension(
    'task-update-requests',
    'Each request key in inputRequests MUST be unique over the lifetime of a single task.',
  ),
  remedy: 'Accept the answers of tasks/update, and use a new key for each question of a task.',
  run: tasking(async (probe, { session }) => {
    for (const tool of await taskTools(probe)) {
      const task = await begin(probe, session, { tool, args: tool.arguments[0] ?? {} });
      if (task === undefined) continue;
      const asking = (await follow(probe, session, task.id)).at(-1);
      if (asking?.result?.['status'] !== 'input_required') continue;
      const questions = questionsOf(asking);
      const inputResponses = Object.fromEntries(
        questions.map(([key, { params }]) => [
          key,
          { action: 'accept', content: exampleArguments(params['requestedSchema']) },
        ]),
      );
      const update = await session.request('tasks/update', { taskId: task.id, inputResponses });
      if (update.result === undefined) {
        // The sentence is about the keys of questions.
        return doubtful({
          detail: `tasks/update was answered with ${describe(update)}.`,
          expected: 'an empty result',
          exchange: update.exchange,
        });
      }
      const after = (await follow(probe, session, task.id)).at(-1);
      const again = questionsOf(after).filter(([key]) => key in inputResponses);
      if (after?.result?.['status'] === 'input_required' && again.length > 0) {
        return broken({
          detail: `It asks again with the key ${again.map(([key]) => key).join(', ')}.`,
          expected: 'the task continues',
          exchange: after.exchange,
        });
      }
      return holds();
    }
    return notVerified('No task asks for input.', 'a tool whose task asks the user: --allow name');
  }),
});

export const livesItsTime = defineCheck({
  ...TASKS,
  id: 'TSK-10',
  title: 'a finished task can be read until its lifetime ends',
  level: 'SHOULD',
  tier: 'standard',
  source: inEras(
    legacyTasks(
      'ttl-and-resource-management',
      'After a task’s ttl lifetime has elapsed, receivers MAY delete the task and its results, regardless of the task status.',
    ),
    extension(
      'task-polling',
      'servers MAY mark a task as failed at any point after the TTL elapses, and subsequently delete it',
    ),
  ),
  remedy: 'Store a task and its result until its ttl has passed.',
  run: tasking(async (probe, tasks) => {
    const done = await finished(probe, tasks);
    if (done === undefined) return NOT_OVER;
    const life = done.task.task['ttl'] ?? done.task.task['ttlMs'];
    if (typeof life === 'number' && life < 2_000) {
      return notVerified('Its lifetime is too short to read it twice.', 'a server with a longer ttl');
    }
    const again = await tasks.session.request('tasks/get', { taskId: done.task.id });
    if (again.result !== undefined) return holds();
    return broken({
      detail: `Reading it again was answered with ${describe(again)}.`,
      expected: 'the task',
      exchange: again.exchange,
    });
  }),
});

export const survivesConnection = defineCheck({
  ...TASKS,
  transports: HTTP_ONLY,
  id: 'TSK-12',
  inSequence: true,
  title: 'a task can be followed over another connection',
  level: 'MUST',
  legacyLevel: 'SHOULD',
  tier: 'standard',
  source: inEras(
    legacyTasks(
      '',
      'Tasks are durable state machines that carry information about the underlying execution state of the request they wrap',
    ),
    extension(
      'task-creation',
      'A server MUST NOT return CreateTaskResult until the task is durably created — that is, until a tasks/get for the returned taskId would resolve.',
    ),
  ),
  remedy: 'Store tasks independently of connections and sessions, bound to the authorized user.',
  run: tasking(async (probe, { session, tools: [tool], open }) => {
    const task = await begin(probe, session, { tool, args: tool.arguments[0] ?? {} });
    if (task === undefined) return NOT_OVER;
    // The control: over its own connection the task can be followed.
    const own = await session.request('tasks/get', { taskId: task.id });
    if (own.result === undefined) {
      return notVerified(`Over its own connection it is ${describe(own)}, too.`, 'a server whose tasks can be read');
    }
    const other = await open({ clientInfo: { name: 'plugboard-check-other', version: '1.0.0' } });
    const look = await other.request('tasks/get', { taskId: task.id });
    if (look.result !== undefined) return holds();
    const evidence = {
      detail: `Over another connection it is ${describe(look)}.`,
      expected: 'the task',
      exchange: look.exchange,
    };
    // A legacy server that does not authenticate its clients may bind a task to its session.
    return probe.era === 'legacy' ? doubtful(evidence) : broken(evidence);
  }),
});

const MANY = 24;

export const manyTasks = defineCheck({
  ...TASKS,
  id: 'TSK-13',
  title: 'many concurrent tasks are accepted or rejected, and the server keeps running',
  level: 'ADVICE',
  tier: 'full',
  source: inEras(
    legacyTasks('resource-management', 'Receivers SHOULD: […] Enforce limits on concurrent tasks per requestor'),
    extension(
      'security-implications',
      'Servers MUST generate them with sufficient entropy that a third party cannot enumerate or guess them.',
    ),
  ),
  remedy: 'Limit the tasks of a client, and reject more with a clear error.',
  run: tasking(async (probe, { session, tools: [tool] }) => {
    const args = tool.arguments[0] ?? {};
    const begun = await Promise.allSettled(Array.from({ length: MANY }, () => begin(probe, session, { tool, args })));
    const lost = begun.filter(({ status }) => status === 'rejected').length;
    const alive = await session.request('tools/list');
    const flaws: Flaw[] = [
      ...(lost > 0 ? [{ detail: `${lost} of ${MANY} calls were never answered.` }] : []),
      ...(alive.result === undefined
        ? [{ detail: `Afterwards tools/list gives ${describe(alive)}.`, exchange: endOfSequence(alive.exchange) }]
        : []),
    ];
    return judged(flaws, 'an answer to each');
  }),
});
