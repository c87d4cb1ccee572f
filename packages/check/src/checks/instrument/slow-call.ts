import { isObject, type JsonObject } from '../../connection/json.js';
import type { Probe } from '../../probe/probe.js';
import type { CallableTool } from '../../calls/tool.js';
import { notVerified } from '../../model/finding.js';
import { exercise } from './exercise.js';

/** A call that takes its time. */
export interface SlowCall {
  readonly tool: CallableTool;
  readonly args: JsonObject;
  readonly ms: number;
  /** The parameter that says how long. */
  readonly parameter: string | undefined;
}

/** The same call, so many times as long if that can be said. */
export const slower = (call: SlowCall, factor: number): SlowCall => {
  const { parameter, args, ms } = call;
  if (parameter === undefined) return call;
  return { ...call, args: { ...args, [parameter]: Number(args[parameter]) * factor }, ms: ms * factor };
};

const IN_MS = /^(?:ms|millis|milliseconds|(?:delay|duration|sleep|wait|timeout)_?ms)$/iu;
const IN_SECONDS = /^(?:s|secs?|seconds|duration|delay|wait|sleep)(?:_?(?:s|secs?|seconds))?$/iu;
const SLOW_ENOUGH_MS = 400;
/** Long enough to be interrupted, in terms of how patient the run is. */
const durationFor = (probe: Probe): number => Math.max(200, Math.min(5 * probe.target.budgets.quietMs, 2_000));

/** The arguments that make this tool wait, by the name of one of its parameters. */
export const waiting = (tool: CallableTool, ms: number): SlowCall | undefined => {
  const properties = isObject(tool.inputSchema) ? tool.inputSchema['properties'] : undefined;
  for (const [name, schema] of Object.entries(isObject(properties) ? properties : {})) {
    const type = isObject(schema) ? schema['type'] : undefined;
    if (type !== 'integer' && type !== 'number') continue;
    const first = tool.arguments[0] ?? {};
    if (IN_MS.test(name)) return { tool, args: { ...first, [name]: ms }, ms, parameter: name };
    if (IN_SECONDS.test(name)) return { tool, args: { ...first, [name]: 1 }, ms: 1_000, parameter: name };
  }
  return undefined;
};

/** A tool that may be called and takes long enough to be interrupted. */
export const findSlow = async (probe: Probe): Promise<SlowCall | undefined> => {
  for (const tool of await probe.callable()) {
    const slow = waiting(tool, durationFor(probe));
    if (slow !== undefined) return slow;
  }
  const slowest = (await exercise(probe))
    .filter(({ tool, answer }) => tool.free && (answer?.elapsedMs ?? 0) > SLOW_ENOUGH_MS)
    .toSorted((a, b) => (b.answer?.elapsedMs ?? 0) - (a.answer?.elapsedMs ?? 0))[0];
  if (slowest?.answer === undefined) return undefined;
  return { tool: slowest.tool, args: slowest.args, ms: Math.ceil(slowest.answer.elapsedMs), parameter: undefined };
};

export const NOTHING_SLOW = notVerified(
  'No tool that may be called takes long enough.',
  'a tool with arguments that keep it busy for about a second: --allow \'name={"seconds":1}\'',
);
