import type { JsonObject } from '../connection/json.js';
import { invalidArguments } from '../generate/invalid.js';
import type { Answer } from '../session/answer.js';
import { IDENTICAL, type DifferentialCheck } from './differential-check.js';
import { callBoth, type Pair } from './pair.js';
import { judgeAsked, type Asked } from './same-answers.js';

const RESOURCE_NOT_FOUND = -32_002;
const INVALID_PARAMS = -32_602;
const MAX_TOOLS = 8;

/** The class of a refusal: what a client does about it, not how it is worded. */
const classOf = ({ result, error }: Answer, isCall: boolean): unknown => {
  if (error === undefined) return isCall && result?.['isError'] === true ? 'refused as wrong' : 'taken';
  if (error.code === RESOURCE_NOT_FOUND || (error.code === INVALID_PARAMS && !isCall)) return 'refused as unknown';
  return error.code === INVALID_PARAMS ? 'refused as wrong' : `error ${String(error.code)}`;
};

const asked = (path: string, [one, other]: readonly [Answer, Answer], isCall: boolean): Asked => ({
  path,
  one: classOf(one, isCall),
  other: classOf(other, isCall),
  exchanges: [one.exchange, other.exchange],
});

const UNKNOWN: readonly { readonly method: string; readonly params: JsonObject; readonly needs?: string }[] = [
  { method: 'surely/unknown', params: {} },
  { method: 'tools/call', params: { name: 'surely-no-tool', arguments: {} }, needs: 'tools' },
  { method: 'resources/read', params: { uri: 'surely-unknown://nothing' }, needs: 'resources' },
  { method: 'prompts/get', params: { name: 'surely-no-prompt' }, needs: 'prompts' },
];

/** Whether a resource template of either side may serve the URI. */
const served = async ({ one, other }: Pair, uri: string): Promise<boolean> =>
  (await one.unserved([uri])).length + (await other.unserved([uri])).length < 2;

const askUnknown = async (pair: Pair): Promise<readonly Asked[]> => {
  const answers: Asked[] = [];
  for (const { method, params, needs } of UNKNOWN) {
    const sessions = [pair.one.session(), pair.other.session()] as const;
    if (needs !== undefined && sessions.some(({ capabilities }) => capabilities[needs] === undefined)) continue;
    if (needs === 'resources' && (await served(pair, String(params['uri'])))) continue;
    const both = [await sessions[0].request(method, params), await sessions[1].request(method, params)] as const;
    answers.push(asked(`refusals/${method}`, both, method === 'tools/call'));
  }
  return answers;
};

const askWrongly = async (pair: Pair): Promise<readonly Asked[]> => {
  const answers: Asked[] = [];
  for (const tool of (await pair.one.callable()).slice(0, MAX_TOOLS)) {
    const wrong = invalidArguments(tool.inputSchema, tool.arguments[0] ?? {}).find(({ lenient }) => !lenient);
    const both = wrong === undefined ? undefined : await callBoth(pair, tool, wrong.args);
    if (both !== undefined) answers.push(asked(`refusals/${tool.name}`, both, true));
  }
  return answers;
};

export const sameRefusals: DifferentialCheck = {
  id: 'DIF-09',
  title: 'both connections reject the same requests, for the same reason',
  level: 'MUST',
  source: IDENTICAL,
  remedy: 'Validate requests in one place, and let every transport carry the error code.',
  compare: async (pair) => {
    const answers = [...(await askUnknown(pair)), ...(await askWrongly(pair))];
    return judgeAsked(pair, answers, `${answers.length} refusals.`);
  },
};
