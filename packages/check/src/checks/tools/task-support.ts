import { at, isObject, show } from '../../connection/json.js';
import { ALL_TRANSPORTS, defineCheck } from '../../model/check.js';
import { broken, doubtful, holds, notApplicable, type Finding } from '../../model/finding.js';
import type { Probe } from '../../probe/probe.js';
import type { CallableTool } from '../../calls/tool.js';
import { describe } from '../../session/answer.js';
import { responsive, successful } from '../instrument/exercise.js';
import { judgedList, NOTHING_CALLABLE } from '../instrument/judge.js';
import { spec } from '../instrument/spec.js';

const VALUES: ReadonlySet<unknown> = new Set([undefined, 'forbidden', 'optional', 'required']);

const supportOf = (definition: unknown): unknown => at(definition, 'execution', 'taskSupport');

/** Calls a tool as a task that may not be one, or must, by what it declares. */
const asTask = async (probe: Probe, tool: CallableTool, meant: boolean): Promise<Finding> => {
  const session = await probe.open();
  const params = { name: tool.name, arguments: tool.arguments[0] ?? {}, task: { ttl: 1_000 } };
  const answer = await session.request('tools/call', params);
  const created = isObject(at(answer.result, 'task'));
  const { exchange } = answer;
  const detail = `${tool.name} as a task gave ${created ? 'a task' : describe(answer)}.`;
  if (meant) return created ? holds() : broken({ detail, expected: 'a task', exchange });
  if (created) return broken({ detail, expected: 'its result, or a refusal', exchange });
  if (answer.result !== undefined) return holds();
  const code = answer.error?.code;
  const clean = code === -32601 || code === -32602 || code === -32600;
  const declared = isObject(at(session.capabilities, 'tasks'));
  if (declared && code === -32601) return holds();
  const expected = declared ? 'error -32601' : 'its result, as if no task had been requested';
  return clean ? doubtful({ detail, expected, exchange }) : broken({ detail, expected, exchange });
};

export const taskSupportHonoured = defineCheck({
  family: 'tools',
  eras: ['legacy'],
  transports: ALL_TRANSPORTS,
  needs: 'tools',
  id: 'TOL-20',
  title: 'execution.taskSupport has a valid value that is true',
  level: 'MUST',
  since: '2025-11-25',
  tier: 'standard',
  source: spec(
    '2025-11-25',
    'basic/utilities/tasks#task-support-and-handling',
    'Receivers that do not declare the task capability for a request type MUST process requests of that type normally, ignoring any task-augmentation metadata if present.',
  ),
  remedy: 'Declare forbidden, optional or required, create tasks accordingly, and otherwise ignore the member task.',
  async run(probe) {
    if (probe.session().revision !== '2025-11-25') return notApplicable('Tasks came with revision 2025-11-25.');
    const tools = await probe.tools();
    const wrong = tools.filter(({ definition }) => !VALUES.has(supportOf(definition)));
    if (wrong.length > 0) {
      const details = wrong.map(({ name, definition }) => `${name} has taskSupport ${show(supportOf(definition))}.`);
      return await judgedList(probe, 'tools/list', details, 'forbidden, optional or required');
    }
    // The control: called in the ordinary way, the tool comes to a result. One that must be a task cannot be.
    const good = await successful(probe);
    const callable = (await responsive(probe)).filter(
      ({ name, definition }) => supportOf(definition) === 'required' || good.some((tool) => tool.name === name),
    );
    const able = isObject(at(probe.session().capabilities, 'tasks', 'requests', 'tools', 'call'));
    const meant = able
      ? callable.find(({ definition }) => /^(?:optional|required)$/u.test(String(supportOf(definition))))
      : undefined;
    const other = callable.find(
      ({ definition }) => !able || [undefined, 'forbidden'].includes(supportOf(definition) as undefined),
    );
    const findings = [
      ...(meant === undefined ? [] : [await asTask(probe, meant, true)]),
      ...(other === undefined ? [] : [await asTask(probe, other, false)]),
    ];
    return (
      findings.find(({ kind }) => kind === 'broken') ??
      findings.find(({ kind }) => kind !== 'holds') ??
      findings[0] ??
      NOTHING_CALLABLE
    );
  },
});
