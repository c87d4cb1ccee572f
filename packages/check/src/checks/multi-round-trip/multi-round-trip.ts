import { at, isObject, show } from '../../connection/json.js';
import { secretsIn } from '../../detect/secret.js';
import { MODERN_TRANSPORTS, defineCheck, type Check } from '../../model/check.js';
import { doubtful, notVerified, type Finding } from '../../model/finding.js';
import type { Probe } from '../../probe/probe.js';
import { describe, type Answer } from '../../session/answer.js';
import { observedExchange } from '../../session/observations.js';
import type { Session } from '../../session/session.js';
import { tryCall } from '../instrument/exercise.js';
import { ABLE, agreeable, answersTo, isInterim, questionsOf, retry, type Interview } from '../instrument/interview.js';
import { judged, type Flaw } from '../instrument/judge.js';
import { spec } from '../instrument/spec.js';

const modern = { family: 'multi-round-trip', eras: ['modern'], transports: MODERN_TRANSPORTS, needs: 'tools' } as const;
const PAGE = 'basic/patterns/mrtr';
const REQUIREMENTS = `${PAGE}#server-requirements-basic-workflow`;

const NOTHING_ASKED = notVerified(
  'No tool asked the client for anything.',
  'a tool that asks the client for something: --allow name',
);

/** The interviews in which something was asked. */
const asking = async (probe: Probe): Promise<readonly Interview[]> =>
  (await agreeable(probe)).filter(({ rounds }) => rounds.some(isInterim));

const withAsking =
  (run: (probe: Probe, interviews: readonly Interview[]) => Promise<Finding>): Check['run'] =>
  async (probe) => {
    const interviews = await asking(probe);
    return interviews.length === 0 ? NOTHING_ASKED : await run(probe, interviews);
  };

const MAY_ASK = new Set(['tools/call', 'resources/read', 'prompts/get']);
const LISTS = [
  ['tools', 'tools/list'],
  ['resources', 'resources/list'],
  ['prompts', 'prompts/list'],
] as const;
const MAY_BE_ASKED = new Set(['elicitation/create', 'sampling/createMessage', 'roots/list']);

const interimFlaws = (answer: Answer): readonly string[] => {
  const { result } = answer;
  const hasRequests = isObject(at(result, 'inputRequests'));
  const hasState = typeof at(result, 'requestState') === 'string';
  return [
    ...(hasRequests || hasState ? [] : ['It carries neither inputRequests nor requestState.']),
    ...questionsOf(answer)
      .filter(([, { method }]) => !MAY_BE_ASKED.has(method))
      .map(([key, { method }]) => `The request ${show(key)} is ${show(method)}.`),
  ];
};

export const properInterim = defineCheck({
  ...modern,
  id: 'MRT-01',
  title: 'input_required is used only where it is allowed, with inputRequests or requestState',
  level: 'MUST',
  tier: 'standard',
  source: spec(
    '2026-07-28',
    REQUIREMENTS,
    'Servers MUST include at least one of inputRequests or requestState in every InputRequiredResult response.',
  ),
  remedy: 'Answer with input_required only on tools/call, resources/read and prompts/get, and state what is needed.',
  async run(probe) {
    const interviews = await asking(probe);
    const flaws = interviews.flatMap(({ rounds }) =>
      rounds
        .filter(isInterim)
        .flatMap((answer) => interimFlaws(answer).map((detail) => ({ detail, exchange: answer.exchange }))),
    );
    const elsewhere = probe.observations.all
      .filter(
        ({ message, answers }) =>
          at(message, 'result', 'resultType') === 'input_required' && !MAY_ASK.has(String(answers)),
      )
      .map((observation) => ({
        detail: `${String(observation.answers)} was answered with input_required.`,
        exchange: observedExchange(observation),
        observation,
      }));
    const session = await probe.open({ capabilities: ABLE });
    const asked: Flaw[] = [];
    // Harmless on any server, so that this much is known without a tool that may be called.
    for (const [capability, method] of LISTS) {
      if (session.capabilities[capability] === undefined) continue;
      const { exchange, ...answer } = await session.request(method);
      if (isInterim({ ...answer, exchange })) {
        const observation = probe.observations.all.find(({ message }) => message === answer.response);
        asked.push({ detail: `${method} was answered with input_required.`, exchange, observation });
      }
    }
    const all = [...flaws, ...asked, ...(asked.length === 0 ? elsewhere : [])];
    if (all.length === 0 && interviews.length === 0) return NOTHING_ASKED;
    return judged(all, 'input_required with inputRequests or requestState, on the three methods that have it');
  },
});

export const retryCompletes = defineCheck({
  ...modern,
  id: 'MRT-02',
  title: 'repeating the call with the answers and the state leads to a result',
  level: 'SHOULD',
  tier: 'standard',
  source: spec(
    '2026-07-28',
    REQUIREMENTS,
    'Servers MUST NOT assume that clients will fulfill the inputRequests or retry the original request. Servers MAY choose to return an InputRequiredResult on multiple attempts at the same request if they want to repeatedly prompt the user for information until they have what they need to complete the request.',
  ),
  remedy: 'Accept inputResponses and requestState on the repeated request, under its new id.',
  run: withAsking(async (_probe, interviews) => {
    const flaws = interviews
      // Another question is allowed: only an error, or nothing, is not what the answers were given for.
      .filter(({ answer }) => answer?.result === undefined)
      .map(({ tool, answer, rounds }) => ({
        detail: `${tool.name} came after ${rounds.length} rounds to ${answer === undefined ? 'no answer' : describe(answer)}.`,
        exchange: answer?.exchange,
      }));
    return await Promise.resolve(judged(flaws, 'a complete result'));
  }),
});

const firstInterim = (interviews: readonly Interview[], pick: (answer: Answer) => boolean): Answer | undefined =>
  interviews.flatMap(({ rounds }) => rounds.filter((round) => isInterim(round) && pick(round)))[0];

/** The same question, asked anew, by a tool that may be called freely: a state may be good for one answer only. */
const askedAnew = async (
  probe: Probe,
  session: Session,
  interviews: readonly Interview[],
): Promise<Answer | undefined> => {
  const asks = ({ rounds }: Interview): boolean => isInterim(rounds[0]) && questionsOf(rounds[0]).length > 0;
  const tool = interviews.filter(asks).find(({ tool: { free } }) => free)?.tool;
  if (tool === undefined) return undefined;
  const { answer } = await tryCall(probe, session, { tool, args: tool.arguments[0] ?? {} });
  return isInterim(answer) ? answer : undefined;
};

const hasState = (answer: Answer): boolean => typeof at(answer.result, 'requestState') === 'string';

const tampered = (state: string): readonly string[] => {
  const middle = Math.floor(state.length / 2);
  const changed = state[middle] === 'A' ? 'B' : 'A';
  return [
    `${state.slice(0, middle)}${changed}${state.slice(middle + 1)}`,
    state.slice(0, Math.max(1, middle)),
    'made-up-state',
  ];
};

/** Whether it is readable, so that changing it would mean something. */
const saysSomething = (state: string): boolean => {
  const texts = [state, ...state.split('.').map((part) => Buffer.from(part, 'base64url').toString('utf8'))];
  return texts.some((text) => /[{[]"?[\w-]+"?\s*[:,]/u.test(text));
};

export const stateVerified = defineCheck({
  ...modern,
  id: 'MRT-03',
  title: 'an altered, truncated or forged requestState is rejected',
  level: 'MUST',
  tier: 'standard',
  source: spec(
    '2026-07-28',
    REQUIREMENTS,
    'If requestState influences authorization, resource access, or business logic, servers MUST protect its integrity (e.g. HMAC or AEAD) and MUST reject state that fails verification.',
  ),
  remedy: 'Sign the state (HMAC or AEAD) together with its request, and reject any other state with -32602.',
  run: withAsking(async (probe, interviews) => {
    const interim = firstInterim(interviews, hasState);
    if (interim === undefined) {
      return notVerified('No tool uses requestState.', 'a tool that answers with requestState: --allow name');
    }
    const state = String(at(interim.result, 'requestState'));
    const session = await probe.open({ capabilities: ABLE });
    const taken: Flaw[] = [];
    const isFree = interviews.some(({ tool, rounds }) => tool.free && rounds.includes(interim));
    // Of a tool that was not allowed explicitly, one call must do.
    for (const wrong of isFree ? tampered(state) : tampered(state).slice(0, 1)) {
      const answer = await retry(session, interim, answersTo(interim), wrong);
      if (answer.result !== undefined && !isInterim(answer) && answer.result['isError'] !== true) {
        taken.push({ detail: `${show(wrong).slice(0, 60)} was taken.`, exchange: answer.exchange });
      }
    }
    const finding = judged(taken, 'an error, or the question again');
    return finding.kind === 'broken' && !saysSomething(state) ? doubtful(finding) : finding;
  }),
});

export const partialAskedAgain = defineCheck({
  ...modern,
  id: 'MRT-05',
  title: 'missing answers are requested again, and unknown ones are ignored',
  level: 'SHOULD',
  tier: 'standard',
  source: spec(
    '2026-07-28',
    `${PAGE}#error-handling`,
    'If the client fails to send all the information requested in a previous InputRequests, and the missing information is necessary for the server to process the request, the server SHOULD respond with a new InputRequiredResult requesting the missing information again, rather than returning an error.',
  ),
  remedy: 'Answer with input_required again; ignore keys that you did not ask for.',
  run: withAsking(async (probe, interviews) => {
    const session = await probe.open({ capabilities: ABLE });
    const one = await askedAnew(probe, session, interviews);
    const two = await askedAnew(probe, session, interviews);
    if (one === undefined || two === undefined) return NOTHING_ASKED;
    const missing = await retry(session, one, { 'surely-unknown': { action: 'accept', content: {} } });
    const more = await retry(session, two, {
      ...answersTo(two),
      'surely-unknown': { action: 'accept', content: {} },
    });
    return judged(
      [
        ...(isInterim(missing)
          ? []
          : [{ detail: `Without the answers it came back with ${describe(missing)}.`, exchange: missing.exchange }]),
        ...(more.result === undefined
          ? [{ detail: `With an additional answer it came back with ${describe(more)}.`, exchange: more.exchange }]
          : []),
      ],
      'input_required again; a result',
    );
  }),
});

export const stateKeepsSecrets = defineCheck({
  ...modern,
  id: 'MRT-06',
  title: 'requestState contains no readable secrets',
  level: 'ADVICE',
  tier: 'standard',
  source: spec(
    '2026-07-28',
    `${PAGE}#security-considerations`,
    'Because requestState passes through the client, malicious or compromised clients could attempt to modify it to alter server behavior, bypass authorization checks, or corrupt server logic.',
  ),
  remedy: 'Encrypt the state (AEAD), or keep secrets in the server under a random name.',
  run: withAsking(async (_probe, interviews) => {
    const rounds = interviews.flatMap(({ rounds: all }) => all.filter(hasState));
    const flaws = rounds.flatMap((answer) => {
      const state = String(at(answer.result, 'requestState'));
      const texts = [state, ...state.split('.').map((part) => Buffer.from(part, 'base64').toString('utf8'))].join('\n');
      return secretsIn(texts).map((kind) => ({ detail: `The state contains ${kind}.`, exchange: answer.exchange }));
    });
    return await Promise.resolve(judged(flaws, 'a state that discloses nothing'));
  }),
});

const MANY_ROUNDS = 10;

export const roundsBounded = defineCheck({
  ...modern,
  id: 'MRT-07',
  title: 'a client that answers every question gets a result within ten rounds',
  level: 'ADVICE',
  tier: 'standard',
  source: spec(
    '2026-07-28',
    REQUIREMENTS,
    'Servers MUST NOT assume that clients will fulfill the inputRequests or retry the original request.',
  ),
  remedy: 'Ask for all input in one round, and give up after a few rounds.',
  run: withAsking(async (_probe, interviews) => {
    const flaws = interviews
      .filter(({ rounds }) => rounds.length > MANY_ROUNDS)
      .map(({ tool, answer }) => ({
        detail: `${tool.name} still asks after ${MANY_ROUNDS} rounds.`,
        exchange: answer?.exchange,
      }));
    return await Promise.resolve(judged(flaws, 'a result'));
  }),
});

export const retryElsewhere = defineCheck({
  ...modern,
  transports: ['streamable-http'],
  id: 'MRT-08',
  title: 'the repeated request works over another connection',
  level: 'MUST',
  tier: 'standard',
  source: spec(
    '2026-07-28',
    'basic/index#statelessness',
    'Servers MUST NOT rely on prior requests over the same connection to establish context (e.g., capabilities, protocol version, client identity).',
  ),
  remedy: 'Store what you need in requestState, or in a store that all connections and replicas share.',
  run: withAsking(async (probe, interviews) => {
    // The control: over its own connection the repeated request comes to a result.
    const own = await probe.open({ capabilities: ABLE });
    const control = await askedAnew(probe, own, interviews);
    if (control === undefined) return NOTHING_ASKED;
    const repeated = await retry(own, control, answersTo(control));
    if (repeated.result === undefined) {
      const detail = `Over the same connection it came back with ${describe(repeated)} as well.`;
      return notVerified(detail, 'a tool that continues when it gets what it asked for');
    }
    const interim = await askedAnew(probe, await probe.open({ capabilities: ABLE }), interviews);
    if (interim === undefined) return NOTHING_ASKED;
    const other = await probe.open({ capabilities: ABLE, clientInfo: { name: 'another-replica', version: '1.0.0' } });
    const answer = await retry(other, interim, answersTo(interim));
    const flaws =
      answer.result === undefined
        ? [{ detail: `There it came back with ${describe(answer)}.`, exchange: answer.exchange }]
        : [];
    return judged(flaws, 'a result');
  }),
});

export const multiRoundTripChecks = [
  properInterim,
  retryCompletes,
  stateVerified,
  partialAskedAgain,
  stateKeepsSecrets,
  roundsBounded,
  retryElsewhere,
];
