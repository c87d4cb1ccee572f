import { at, isObject, type JsonObject } from '../../connection/json.js';
import { exampleArguments } from '../../generate/example.js';
import type { Probe } from '../../probe/probe.js';
import { NoAnswer } from '../../connection/no-answer.js';
import { CallRefused } from '../../calls/call-refused.js';
import type { CallableTool } from '../../calls/tool.js';
import type { Answer } from '../../session/answer.js';
import type { OnServerRequest, Session } from '../../session/session.js';
import { answering, responsive, tryCall } from './exercise.js';

/** Something that a server asked of its client. */
export interface Question {
  readonly method: string;
  readonly params: JsonObject;
}

type Reply = (question: Question) => ReturnType<OnServerRequest>;

/** A call of a tool, what it asked, and what came in the end. */
export interface Interview {
  readonly tool: CallableTool;
  readonly questions: readonly Question[];
  /** Every answer, the interim ones of the modern era included. */
  readonly rounds: readonly Answer[];
  /** The last of them; undefined when none came in time. */
  readonly answer: Answer | undefined;
}

export const ABLE: JsonObject = { sampling: {}, elicitation: { form: {}, url: {} }, roots: {} };

/** Who goes along says yes. */
const agreeing = (content: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(content).map(([name, value]) => [name, value === false ? true : value]));

/** A client that goes along with everything. */
export const agree: Reply = ({ method, params }) => {
  switch (method) {
    case 'elicitation/create':
      return params['mode'] === 'url'
        ? { action: 'accept' }
        : { action: 'accept', content: agreeing(exampleArguments(params['requestedSchema'])) };
    case 'sampling/createMessage':
      return { role: 'assistant', content: { type: 'text', text: 'Yes.' }, model: 'check', stopReason: 'endTurn' };
    case 'roots/list':
      return { roots: [] };
    default:
      return { error: { code: -32601, message: 'Method not found' } };
  }
};

const MAX_ROUNDS = 12;
/** Of a tool that was not allowed explicitly: each round is a call. */
const FEW_ROUNDS = 3;

export const isInterim = (answer: Answer | undefined): boolean => at(answer?.result, 'resultType') === 'input_required';

export const questionsOf = (answer: Answer | undefined): readonly (readonly [string, Question])[] => {
  const requests = at(answer?.result, 'inputRequests');
  return Object.entries(isObject(requests) ? requests : {}).map(([key, request]) => {
    const params = at(request, 'params');
    return [key, { method: String(at(request, 'method')), params: isObject(params) ? params : {} }];
  });
};

/** The answers of a client that goes along with everything that is asked. */
export const answersTo = (answer: Answer): JsonObject =>
  Object.fromEntries(questionsOf(answer).map(([key, question]) => [key, agree(question)]));

/** Calls again with the answers, as the modern era has it. */
export const retry = async (
  session: Session,
  answer: Answer,
  inputResponses: JsonObject,
  requestState: unknown = at(answer.result, 'requestState'),
): Promise<Answer> => {
  const params = at(answer.request, 'params');
  const { name, arguments: args } = isObject(params) ? params : {};
  const state = requestState === undefined ? {} : { requestState };
  return await session.request('tools/call', { name, arguments: args, inputResponses, ...state });
};

/** The answers of a tool, and whether it left its last request without one. */
interface Rounds {
  readonly rounds: readonly Answer[];
  readonly isSilent: boolean;
}

const silent = (error: unknown): undefined => {
  if (!(error instanceof NoAnswer)) throw error;
};

const modernRounds = async (
  session: Session,
  first: Answer | undefined,
  reply: Reply,
  most: number,
): Promise<Rounds> => {
  const rounds: Answer[] = first === undefined ? [] : [first];
  for (let last = first; last !== undefined && isInterim(last) && rounds.length < most; last = rounds.at(-1)) {
    const responses = questionsOf(last).map(([key, question]) => [key, reply(question)] as const);
    if (responses.some(([, response]) => response === undefined || 'error' in response)) break;
    const next = await retry(session, last, Object.fromEntries(responses)).catch(silent);
    if (next === undefined) return { rounds, isSilent: true };
    rounds.push(next);
  }
  return { rounds, isSilent: first === undefined };
};

/** The answers of a tool until it asks nothing more; undefined when it may not be called so often. */
const roundsOf = async (
  probe: Probe,
  session: Session,
  tool: CallableTool,
  reply: Reply,
): Promise<Rounds | undefined> => {
  try {
    const { answer } = await tryCall(probe, session, { tool, args: tool.arguments[0] ?? {} });
    if (probe.era === 'modern') {
      return await modernRounds(session, answer, reply, tool.free ? MAX_ROUNDS : FEW_ROUNDS);
    }
    return answer === undefined ? { rounds: [], isSilent: true } : { rounds: [answer], isSilent: false };
  } catch (error) {
    // Half an interview shows nothing. A second try that is cut short must not look as if nothing were wrong.
    if (error instanceof CallRefused && !probe.isSecondTry) return undefined;
    throw error;
  }
};

/** Calls every tool as a client with these capabilities, and answers what is asked. */
export const interview = async (
  probe: Probe,
  { capabilities, reply }: { readonly capabilities: JsonObject; readonly reply: Reply },
  tools: () => Promise<readonly CallableTool[]> = () => responsive(probe),
): Promise<readonly Interview[]> => {
  const callable = await tools();
  if (callable.length === 0) return [];
  let questions: Question[] = [];
  const session = await probe.open({
    capabilities,
    onRequest: ({ method, params }) => {
      questions.push({ method, params });
      return reply({ method, params });
    },
  });
  const interviews: Interview[] = [];
  for (const tool of callable) {
    const answered = await roundsOf(probe, session, tool, reply);
    if (answered === undefined) continue;
    const { rounds, isSilent } = answered;
    const asked =
      probe.era === 'modern' ? rounds.flatMap((round) => questionsOf(round).map(([, one]) => one)) : questions;
    interviews.push({ tool, questions: asked, rounds, answer: isSilent ? undefined : rounds.at(-1) });
    // What comes between two calls counts for the next one, so that nothing is lost.
    questions = [];
  }
  return interviews;
};

/** The interviews of a client that can do everything and goes along, made once per run. */
export const agreeable = (probe: Probe): Promise<readonly Interview[]> =>
  probe.once('interview', () => interview(probe, { capabilities: ABLE, reply: agree }, () => answering(probe)));
