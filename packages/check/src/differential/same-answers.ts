import { eachAtMost } from '../connection/each-at-most.js';
import fc from 'fast-check';
import type { JsonObject } from '../connection/json.js';
import { NoAnswer } from '../connection/no-answer.js';
import { argumentsArbitrary } from '../generate/arbitrary.js';
import type { Probe } from '../probe/probe.js';
import type { CallableTool } from '../calls/tool.js';
import type { Answer } from '../session/answer.js';
import type { Exchange } from '../session/exchange.js';
import { differencesBetween, type Difference } from './difference.js';
import { IDENTICAL, type Comparison, type DifferentialCheck } from './differential-check.js';
import { acrossEras, callBoth, nameThere, notMeant, type Pair } from './pair.js';
import { essence, formOf } from './permitted.js';

const MAX_TOOLS = 24;
const GENERATED = 3;
const SLOW_MS = 150;
const MISSING_CAPABILITY = -32_021;
const MAX_READ = 24;

/** One question put to both ways. */
export interface Asked {
  readonly path: string;
  readonly one: unknown;
  readonly other: unknown;
  readonly exchanges: readonly [Exchange, Exchange];
}

/** The first difference of each question, with what showed the first of all. */
export const judgeAsked = (pair: Pair, asked: readonly Asked[], detail: string): Comparison => {
  const differing = asked.flatMap(({ path, one, other, exchanges }) => {
    const differences = notMeant(pair, differencesBetween(path, one, other));
    return differences.length === 0 ? [] : [{ differences, exchanges }];
  });
  const differences: readonly Difference[] = differing.flatMap((one) => one.differences);
  return differences.length === 0
    ? { kind: 'same', detail }
    : { kind: 'different', differences, exchanges: differing[0]?.exchanges };
};

/** What an answer says, as far as both ways must say the same. */
const meaning = ({ result, error }: Answer): unknown =>
  error === undefined ? essence(result) : { error: { code: error.code } };

/** What the operator gave, or else the plainest arguments and some that are generated. */
const argumentsOf = (tool: CallableTool, { target, seed }: Probe): readonly JsonObject[] =>
  target.tools[tool.name]?.arguments === undefined
    ? [...tool.arguments, ...fc.sample(argumentsArbitrary(tool.inputSchema), { seed, numRuns: GENERATED })]
    : tool.arguments;

const patiently = async <T>(work: Promise<T>): Promise<T | undefined> => {
  try {
    return await work;
  } catch (thrown) {
    if (thrown instanceof NoAnswer) return undefined;
    throw thrown;
  }
};

const isRefusal = ({ result, error }: Answer): boolean => error !== undefined || result?.['isError'] === true;

/** Only the modern era has a code for a client that cannot do what a tool needs. */
const lacksTheSame = (pair: Pair, answers: readonly [Answer, Answer]): boolean =>
  acrossEras(pair) && answers.every(isRefusal) && answers.some(({ error }) => error?.code === MISSING_CAPABILITY);

const oneCall = async (
  pair: Pair,
  tool: CallableTool,
  { args, path }: { readonly args: JsonObject; readonly path: string },
): Promise<(Asked & { readonly elapsedMs: number }) | undefined> => {
  const both = await patiently(callBoth(pair, tool, args));
  const again = both && (await patiently(pair.one.call(pair.one.session(), tool, args)));
  if (both === undefined || again === undefined) return undefined;
  const [one, other] = both;
  const steady = differencesBetween('', meaning(one), meaning(again)).length === 0;
  const shown = (answer: Answer): unknown => (steady ? meaning(answer) : formOf(meaning(answer)));
  const same = lacksTheSame(pair, both);
  const [here, there] = same ? ['refused', 'refused'] : [shown(one), shown(other)];
  return { path, one: here, other: there, exchanges: [one.exchange, other.exchange], elapsedMs: one.elapsedMs };
};

/** With every set of arguments; a slow tool with the first only, for each set costs three calls. */
const compareCalls = async (pair: Pair, tool: CallableTool): Promise<readonly Asked[] | undefined> => {
  const asked: Asked[] = [];
  for (const [index, args] of argumentsOf(tool, pair.one).entries()) {
    const call = await oneCall(pair, tool, { args, path: `results/${tool.name}/${index}` });
    if (call === undefined) return asked.length === 0 ? undefined : asked;
    asked.push(call);
    if (call.elapsedMs > SLOW_MS) break;
  }
  return asked;
};

export const sameResults: DifferentialCheck = {
  id: 'DIF-06',
  title: 'both connections answer the same tool calls with the same results',
  level: 'MUST',
  source: IDENTICAL,
  remedy: 'Let the transport only carry results, never change them.',
  compare: async (pair) => {
    const tools = (await pair.one.callable()).slice(0, MAX_TOOLS);
    const calls = await eachAtMost(pair.one.target.budgets.concurrency, tools, (tool) => compareCalls(pair, tool));
    const asked = calls.flatMap((one) => one ?? []);
    const silent = tools.filter((_tool, index) => calls[index] === undefined).map(({ name }) => name);
    if (asked.length === 0) {
      return {
        kind: 'not-verified',
        detail: 'No tool may be called on both connections, or none answered.',
        supply: 'tools that may be called (tools)',
      };
    }
    const left = silent.length === 0 ? '' : ` Not on both ways, or silent: ${silent.join(', ')}.`;
    return judgeAsked(pair, asked, `${asked.length} calls.${left}`);
  },
};

const sameOf = async (
  pair: Pair,
  { method, params, path }: { readonly method: string; readonly params: JsonObject; readonly path: string },
): Promise<Asked | undefined> => {
  const name = params['name'];
  const there = typeof name === 'string' ? { ...params, name: nameThere(pair, name) } : params;
  const one = await patiently(pair.one.session().request(method, params));
  const other = await patiently(pair.other.session().request(method, there));
  if (one === undefined || other === undefined) return undefined;
  const again = await patiently(pair.one.session().request(method, params));
  const steady = again !== undefined && differencesBetween('', meaning(one), meaning(again)).length === 0;
  const shown = (answer: Answer): unknown => (steady ? meaning(answer) : formOf(meaning(answer)));
  return { path, one: shown(one), other: shown(other), exchanges: [one.exchange, other.exchange] };
};

export const sameContents: DifferentialCheck = {
  id: 'DIF-07',
  title: 'both connections return the same contents of resources',
  level: 'MUST',
  source: IDENTICAL,
  remedy: 'Read resources in one place, independently of the transport.',
  compare: async (pair) => {
    const listed = (await pair.one.resources()).slice(0, MAX_READ).map(({ uri }) => String(uri));
    const uris = [...new Set([...listed, ...pair.one.target.resources])];
    const asked: Asked[] = [];
    for (const uri of uris) {
      const both = await sameOf(pair, { method: 'resources/read', params: { uri }, path: `contents/${uri}` });
      if (both !== undefined) asked.push(both);
    }
    if (asked.length === 0) return { kind: 'not-applicable', detail: 'There is no resource to read.' };
    return judgeAsked(pair, asked, `${asked.length} resources.`);
  },
};

export const sameMessages: DifferentialCheck = {
  id: 'DIF-08',
  title: 'both connections return the same messages of prompts',
  level: 'MUST',
  source: IDENTICAL,
  remedy: 'Build prompts in one place, independently of the transport.',
  compare: async (pair) => {
    const asked: Asked[] = [];
    for (const { prompt, arguments: args } of (await pair.one.gettable()).slice(0, MAX_READ)) {
      const name = String(prompt['name']);
      const params = { name, arguments: args };
      const both = await sameOf(pair, { method: 'prompts/get', params, path: `messages/${name}` });
      if (both !== undefined) asked.push(both);
    }
    if (asked.length === 0) return { kind: 'not-applicable', detail: 'There is no prompt that may be requested.' };
    return judgeAsked(pair, asked, `${asked.length} prompts.`);
  },
};
