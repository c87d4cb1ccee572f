import { createHash } from 'node:crypto';
import { isIdempotentMethod, isIdempotentTool, McpClientError } from '@plugboard/client';
import { PlugboardError } from '@plugboard/contract';
import { isJsonObject, type JsonObject, type JsonRpcNotification } from '@plugboard/wire';
import { bindingOfCaller } from '../../call/caller.js';
import type { McpCall } from '../../call/mcp-call.js';
import { callUpstream } from '../relay/call-upstream.js';
import { isOfCall } from '../relay/call-notification.js';
import type { LeasedCall } from '../relay/leased-call.js';
import { objectAt, textAt } from '../../rpc/members.js';
import { invalidParams, missingCapability } from '../../rpc/rpc-refusal.js';
import type { ServerFacts } from '../../connection/server-facts.js';
import { capabilityInWords, declares, MAY_ASK } from './client-capability.js';
import { toLegacyParams, withModernEnvelope } from '../../rpc/era-members.js';
import { toModernError } from './error-code.js';
import { isLogLevel, reaches } from '../../rpc/log-level.js';
import { type Outcome, ParkedCall, type Turn } from './parked-call.js';
import type { ParkedCalls } from './parked-calls.js';
import type { ToldSoFar } from './request-state.js';
import { urlQuestionsIn } from './url-elicitation.js';

/** Who may bring a state back, and with which request: the same caller, endpoint and question. */
const bindingOf = ({ client, scope, method, params }: McpCall): string => {
  const { _meta: _envelope, inputResponses: _answers, requestState: _state, ...salient } = params;
  const digest = createHash('sha256').update(JSON.stringify(salient)).digest('base64url');
  return JSON.stringify([bindingOfCaller(client.caller), scope.id, method, digest]);
};

/** Log messages only for those who asked for them, progress for those who gave a token; changes go elsewhere. */
const isWanted = (notification: JsonRpcNotification, level: string | undefined): boolean => {
  if (!isOfCall(notification)) return false;
  if (notification.method !== 'notifications/message') return notification.method === 'notifications/progress';
  const { params } = notification;
  return isLogLevel(level) && reaches(isJsonObject(params) ? params['level'] : undefined, level);
};

const begin = async (leased: LeasedCall, told?: ToldSoFar): Promise<ParkedCall> => {
  const { call, route, lease } = leased;
  const responses = { ...told?.given, ...objectAt(call.params, 'inputResponses') };
  const parked = new ParkedCall(call.client.capabilities, responses, told?.asked);
  if (isLogLevel(call.logLevel)) await lease.link.logLevel.atLeast(call.logLevel, call.signal);
  // The server may speak before anybody waits.
  parked.reply = call.reply;
  parked.follow(
    callUpstream(leased, {
      params: toLegacyParams(route.params),
      signal: parked.signal,
      reply: () => parked.reply,
      onNotification: (notification) => {
        if (isWanted(notification, call.logLevel)) parked.reply?.notify(notification);
      },
      onRequest: (request) => parked.ask(request),
    }).finally(lease.letGo),
  );
  return parked;
};

const wordsOf = (outcome: Outcome): string => {
  if (outcome.kind === 'failure') {
    return outcome.thrown instanceof McpClientError ? (outcome.thrown.rpc?.message ?? '') : '';
  }
  const { result } = outcome;
  if (!isJsonObject(result) || result['isError'] !== true || !Array.isArray(result['content'])) return '';
  return result['content'].map((block) => (isJsonObject(block) ? textAt(block, 'text') : undefined) ?? '').join('\n');
};

const failed = (outcome: Outcome): boolean =>
  outcome.kind === 'failure' || (isJsonObject(outcome.result) && outcome.result['isError'] === true);

const conclude = (call: McpCall, parked: ParkedCall, outcome: Outcome, facts: ServerFacts): unknown => {
  if (failed(outcome)) {
    const missing = parked.lacking ?? capabilityInWords(wordsOf(outcome), call.client.capabilities);
    if (missing !== undefined) throw missingCapability(missing);
  }
  if (outcome.kind === 'failure') throw toModernError(outcome.thrown);
  const { result } = outcome;
  return isJsonObject(result) ? withModernEnvelope(call.method, result, { serverInfo: facts.serverInfo }) : result;
};

/** The server wants the user to open pages before it is asked again. */
const urlQuestions = (call: McpCall, turn: Turn): JsonObject | undefined => {
  const questions = turn.kind === 'failure' ? urlQuestionsIn(turn.thrown) : undefined;
  if (questions === undefined) return undefined;
  const needed = { elicitation: { url: {} } };
  if (!declares(call.client.capabilities, needed)) throw missingCapability(needed);
  return { resultType: 'input_required', inputRequests: questions };
};

const wait = async (parked: ParkedCall, call: McpCall): Promise<Turn> => {
  try {
    const turn = await parked.turn(call.signal);
    if (call.signal.aborted) parked.abort();
    return turn;
  } finally {
    parked.reply = undefined;
  }
};

const answersIn = (params: JsonObject): JsonObject => {
  const { inputResponses } = params;
  if (inputResponses === undefined || isJsonObject(inputResponses)) return inputResponses ?? {};
  throw invalidParams('"inputResponses" must be an object.');
};

/** Does a second execution do no harm? */
const isRepeatable = ({ route }: LeasedCall): boolean =>
  route.method === 'tools/call'
    ? route.tool?.kind === 'server' && isIdempotentTool(route.tool.upstreamDefinition)
    : isIdempotentMethod(route.method);

const lost = (): PlugboardError =>
  new PlugboardError(
    'AMBIGUOUS_DELIVERY',
    'The process of the hub that had this call ended while it waited for your answers. The call may have been executed in part.',
    {
      hint: 'Check its effect before you call the tool again. Calls of tools that are marked read-only or idempotent go on.',
    },
  );

/** A new call to the server, or the one that the client comes back to. */
const open = async (leased: LeasedCall, parkedCalls: ParkedCalls): Promise<ParkedCall> => {
  const { call, lease } = leased;
  try {
    const responses = answersIn(call.params);
    const state = call.params['requestState'];
    if (state === undefined) return await begin(leased);
    if (typeof state !== 'string') throw invalidParams('"requestState" must be a string.');
    const claimed = parkedCalls.claim(state, bindingOf(call));
    if (claimed.kind === 'lost') {
      if (claimed.told === undefined || !isRepeatable(leased)) throw lost();
      call.notes?.flow?.decide('call made again');
      return await begin(leased, claimed.told);
    }
    const parked = claimed.call;
    parked.reply = call.reply;
    parked.answer(responses);
    lease.letGo();
    return parked;
  } catch (thrown) {
    lease.letGo();
    throw thrown;
  }
};

/** Modern client, legacy server: what the server asks is handed to the client as a result, and its call is kept. */
export const modernToLegacy = async (leased: LeasedCall, parkedCalls: ParkedCalls): Promise<unknown> => {
  const { call, lease } = leased;
  const parked = await open(leased, parkedCalls);
  const turn = await wait(parked, call);
  const opening = urlQuestions(call, turn);
  if (opening !== undefined) return opening;
  if (turn.kind !== 'questions') return conclude(call, parked, turn, lease.facts);
  if (!MAY_ASK.has(call.method)) {
    parked.abort();
    throw invalidParams(`The server asks for input, which ${call.method} cannot pass on.`);
  }
  const requestState = parkedCalls.park(parked, bindingOf(call));
  return { resultType: 'input_required', inputRequests: turn.questions, requestState };
};
