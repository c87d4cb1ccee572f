import { isHeaderMismatch, isInputRequired } from '@plugboard/client';
import { buildNotification, isJsonObject, type JsonObject, META_KEY } from '@plugboard/wire';
import type { McpCall } from '../../call/mcp-call.js';
import { isOfCall } from '../relay/call-notification.js';
import { callUpstream } from '../relay/call-upstream.js';
import type { LeasedCall } from '../relay/leased-call.js';
import { withMeta } from '../../rpc/members.js';
import { protocolFault } from '../../rpc/protocol-fault.js';
import { toModernCapabilities } from './client-capability.js';
import { withoutModernEnvelope } from '../../rpc/era-members.js';
import { toLegacyError } from './error-code.js';
import { LEGACY_DEFAULT_LEVEL } from '../../rpc/log-level.js';
import { type Question, questionOf, toLegacyQuestion } from './question.js';
import { toLegacyToolResult } from './structured-output.js';
import { validateArguments } from '@plugboard/schema';
import { UnfitArguments, unfitResult } from '../../call/unfit-arguments.js';

/**
 * The hub writes the headers that mirror parameters, so a legacy client can do nothing about them. But a value of the
 * wrong type fits in no header, and that is the client's to repair. Throws again what has another cause.
 */
const explainHeaders = ({ call, route }: LeasedCall, thrown: unknown): JsonObject => {
  const { tool, params } = route;
  if (tool?.kind !== 'server' || !isHeaderMismatch(thrown)) throw thrown;
  const verdict = validateArguments(tool.upstreamDefinition.inputSchema ?? true, params['arguments']);
  if (verdict.ok) throw thrown;
  return unfitResult(call, new UnfitArguments(tool.name, verdict.problems));
};

const MAX_ROUNDS = 10;
/** Each is a message to the client, and waits for its answer. */
const MAX_QUESTIONS = 256;

/** What every modern request carries, on behalf of a legacy client. */
const modernMeta = ({ client, reply }: McpCall): JsonObject => ({
  [META_KEY.clientCapabilities]: reply.ask === undefined ? {} : toModernCapabilities(client.capabilities),
  ...(client.clientInfo === undefined ? {} : { [META_KEY.clientInfo]: client.clientInfo }),
});

const askOne = async ({ call }: LeasedCall, question: Question): Promise<unknown> => {
  if (call.reply.ask === undefined) throw protocolFault('The server asks for input, and the client cannot be asked.');
  const legacy = toLegacyQuestion(question, call.client.revision);
  const answer = await call.reply.ask(legacy.method, legacy.params, call.signal);
  const elicitationId = legacy.params?.['elicitationId'];
  if (typeof elicitationId === 'string') {
    // The retry that follows tells the server; a legacy client waits for this word.
    call.reply.notify(buildNotification('notifications/elicitation/complete', { elicitationId }));
  }
  return answer;
};

const gather = async (leased: LeasedCall, inputRequests: JsonObject): Promise<JsonObject> => {
  const questions = Object.entries(inputRequests);
  if (questions.length > MAX_QUESTIONS) {
    throw protocolFault(
      `The server asks ${questions.length} questions at a time, and at most ${MAX_QUESTIONS} are passed on.`,
    );
  }
  const answers = await Promise.all(
    questions.map(async ([key, value]) => {
      const question = questionOf(value);
      if (question === undefined) throw protocolFault('The server asks for input without saying what for.');
      return [key, await askOne(leased, question)] as const;
    }),
  );
  return Object.fromEntries(answers);
};

const toLegacyResult = ({ route }: LeasedCall, result: unknown): unknown => {
  if (!isJsonObject(result)) return result;
  if (result['resultType'] === 'task') {
    throw protocolFault('The server turned the call into a task, which this client does not support.');
  }
  const plain = withoutModernEnvelope(result);
  if (route.method !== 'tools/call') return plain;
  const schema = route.tool?.kind === 'server' ? route.tool.upstreamDefinition.outputSchema : undefined;
  return toLegacyToolResult(plain, schema);
};

/** Sends the request as often as the server asks for input. */
export const modernRounds = async (
  leased: LeasedCall,
  about: JsonObject = modernMeta(leased.call),
): Promise<unknown> => {
  const { call, route } = leased;
  const original = withMeta(route.params, (meta) => ({ ...meta, ...about }));
  let params = original;
  for (let round = 0; round <= MAX_ROUNDS; round += 1) {
    const result = await callUpstream(leased, {
      params,
      signal: call.signal,
      logLevel: call.logLevel ?? call.session?.logLevel ?? LEGACY_DEFAULT_LEVEL,
      allowInputRequired: true,
      reply: () => call.reply,
      onNotification: (notification) => {
        if (isOfCall(notification)) call.reply.notify(notification);
      },
    }).catch((thrown: unknown) => explainHeaders(leased, thrown));
    if (!isInputRequired(result)) return result;
    const { inputRequests, requestState } = result;
    params = {
      ...original,
      ...(isJsonObject(inputRequests) ? { inputResponses: await gather(leased, inputRequests) } : {}),
      ...(typeof requestState === 'string' ? { requestState } : {}),
    };
  }
  throw protocolFault(`The server asked for input ${MAX_ROUNDS} times.`);
};

/** Legacy client, modern server: the hub answers its requests for input by asking the client, and asks again. */
export const legacyToModern = async (leased: LeasedCall): Promise<unknown> => {
  try {
    return toLegacyResult(leased, await modernRounds(leased));
  } catch (thrown) {
    throw toLegacyError(leased.route.method, thrown);
  }
};
