import type { EvalCase } from '@plugboard/contract';
import { canonicalJson } from '@plugboard/schema';
import { isObject, show, type JsonObject } from '../connection/json.js';
import { broken } from '../workflow/assert.js';

/** A call that the model made, with the arguments as the server would get them. */
export interface EvalCall {
  readonly server: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  /** Why the call could not be made: an unknown tool, or arguments that its schema rejects. */
  readonly problem?: string | undefined;
}

type ExpectedCall = EvalCase['expect'][number];

/** Has the value everything that is wanted? Objects may have more members; everything else must be the same. */
const covers = (value: unknown, wanted: unknown): boolean => {
  if (isObject(wanted)) {
    return isObject(value) && Object.entries(wanted).every(([name, inner]) => covers(value[name], inner));
  }
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(value) && value.length === wanted.length && wanted.every((inner, at) => covers(value[at], inner))
    );
  }
  return value !== undefined && canonicalJson(value) === canonicalJson(wanted);
};

const isNamed = ({ server, tool }: EvalCall, name: string): boolean => name === tool || name === `${server}/${tool}`;

/** What is wrong with a call of the right tool. */
const objections = (call: EvalCall, { arguments: wanted, check }: ExpectedCall): readonly string[] => [
  ...(call.problem === undefined ? [] : [call.problem]),
  ...(wanted === undefined || covers(call.arguments, wanted)
    ? []
    : [`The arguments are ${show(call.arguments)}, but must have ${show(wanted)}.`]),
  ...check.flatMap((assertion) => broken(assertion, call.arguments, {})),
];

/** Why the calls of one answer are not those that the case expects; none when they are. */
export const judgeCalls = ({ expect, others }: EvalCase, calls: readonly EvalCall[]): readonly string[] => {
  const left = [...calls];
  const problems = expect.flatMap((wanted): readonly string[] => {
    const candidates = left.filter((call) => isNamed(call, wanted.tool));
    const [nearest] = candidates;
    if (nearest === undefined) return [`${wanted.tool} was not called.`];
    const right = candidates.find((call) => objections(call, wanted).length === 0);
    left.splice(left.indexOf(right ?? nearest), 1);
    return right === undefined ? objections(nearest, wanted).map((why) => `${wanted.tool}: ${why}`) : [];
  });
  const unwanted = others === 'allow' ? [] : left;
  return [...problems, ...unwanted.map(({ tool }) => `${tool} was called, which is not expected.`)];
};
