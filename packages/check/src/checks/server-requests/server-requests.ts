import { at, isObject, show, type JsonObject } from '../../connection/json.js';
import { ALL_TRANSPORTS, BOTH_ERAS, defineCheck } from '../../model/check.js';
import { broken, holds, notVerified } from '../../model/finding.js';
import type { Probe } from '../../probe/probe.js';
import { endOfSequence } from '../../session/exchange.js';
import { describe, type Answer } from '../../session/answer.js';
import { ABLE, agree, agreeable, interview, type Interview, type Question } from '../instrument/interview.js';
import { inBoth } from '../instrument/in-both.js';
import { judged, NOTHING_CALLABLE, type Flaw } from '../instrument/judge.js';
import { spec } from '../instrument/spec.js';
import { choiceFlaws, questionFlaw } from './shape.js';

const family = { family: 'server-requests', eras: BOTH_ERAS, transports: ALL_TRANSPORTS, needs: 'tools' } as const;

const NOTHING_ASKED = notVerified(
  'No tool asked the client for anything.',
  'a tool that asks the client for something: --allow name',
);

/** Everything that was asked with this method, and by which tool. */
const questionsIn = (
  interviews: readonly Interview[],
  method?: string,
): readonly { by: Interview; question: Question }[] =>
  interviews.flatMap((by) =>
    by.questions
      .filter((question) => method === undefined || question.method === method)
      .map((question) => ({ by, question })),
  );

/** Legacy servers ask for the roots when they like, not only for a call: who asks for nothing else is no asking tool. */
const ofCalls = ({ method }: Question): boolean => method !== 'roots/list';

const evidence = ({ rounds }: Interview): Flaw['exchange'] => rounds[0]?.exchange;

export const onlyDeclared = defineCheck({
  ...family,
  id: 'S2C-01',
  title: 'a client that declares no capabilities receives no requests',
  level: 'MUST',
  since: '2025-06-18',
  levelBefore: 'SHOULD',
  tier: 'standard',
  source: {
    legacy: spec(
      '2025-11-25',
      'basic/lifecycle#operation',
      'Both parties MUST: […] Only use capabilities that were successfully negotiated',
    ),
    modern: spec(
      '2026-07-28',
      'basic/patterns/mrtr#server-requirements-basic-workflow',
      'Servers MUST NOT send an inputRequests that the client has not declared support for in its capabilities.',
    ),
  },
  remedy:
    'Check the capabilities of the client first. If one is missing, continue without it or fail with a clear error.',
  async run(probe) {
    const interviews = await interview(probe, {
      capabilities: {},
      reply: () => ({ error: { code: -32601, message: 'Method not found' } }),
    });
    if (interviews.length === 0) return NOTHING_CALLABLE;
    const flaws = questionsIn(interviews).map(({ by, question }) => ({
      detail: `${by.tool.name} sent ${question.method}.`,
      exchange: evidence(by),
    }));
    return judged(flaws, 'a result, or an error');
  },
});

export const properQuestions = defineCheck({
  ...family,
  id: 'S2C-02',
  title: 'requests to the client are well-formed',
  level: 'MUST',
  tier: 'standard',
  source: {
    legacy: spec(
      '2025-11-25',
      'client/elicitation#elicitation-requests',
      'All elicitation requests MUST include the following parameters',
    ),
    modern: spec(
      '2026-07-28',
      'client/elicitation#elicitation-requests',
      'All elicitation requests MUST include the following parameters',
    ),
  },
  remedy: 'Forms: a message and a flat schema of primitive fields. Sampling: messages and maxTokens.',
  async run(probe) {
    const questions = questionsIn(await agreeable(probe));
    const flaws = questions.flatMap(({ by, question }) => {
      const flaw = questionFlaw(question);
      return flaw === undefined
        ? []
        : [{ detail: `${question.method} of ${by.tool.name}: ${flaw}.`, exchange: evidence(by) }];
    });
    const isAsked = flaws.length > 0 || questions.some(({ question }) => ofCalls(question));
    return isAsked ? judged(flaws, 'requests that match the schema') : NOTHING_ASKED;
  },
});

const REFUSALS: readonly (readonly [string, JsonObject])[] = [
  ['declines', { action: 'decline' }],
  ['cancels', { action: 'cancel' }],
  ['fails', { error: { code: -32603, message: 'The client failed' } }],
];

/** No response came; a refusal by HTTP is one. */
const isSilent = (answer: Answer | undefined): boolean =>
  answer === undefined || (answer.response === undefined && (answer.http?.status ?? 0) < 400);

export const refusalsHandled = defineCheck({
  ...family,
  id: 'S2C-03',
  title: 'a tool ends when the user declines or cancels, or the client fails',
  level: 'MUST',
  legacyLevel: 'SHOULD',
  tier: 'standard',
  source: {
    legacy: spec('2025-11-25', 'client/elicitation#response-actions', 'Servers should handle each state appropriately'),
    modern: spec(
      '2026-07-28',
      'client/elicitation#error-handling',
      'Servers SHOULD NOT assume that elicitation requests will always succeed, and MUST handle cases where the user declines or cancels the elicitation, or where the client fails to process the request.',
    ),
  },
  remedy: 'Handle decline and cancel, and errors of the client: answer with isError and name what is missing.',
  async run(probe) {
    const flaws: Flaw[] = [];
    let questions = 0;
    // The control: tools that answer a client which goes along.
    const steady = new Set(
      (await agreeable(probe)).filter(({ answer }) => !isSilent(answer)).map(({ tool }) => tool.name),
    );
    for (const [how, refusal] of REFUSALS) {
      const reply = (question: Question): JsonObject | undefined =>
        question.method === 'elicitation/create' || 'error' in refusal ? refusal : agree(question);
      for (const one of await interview(probe, { capabilities: ABLE, reply })) {
        questions += one.questions.filter(ofCalls).length;
        if (isSilent(one.answer) && steady.has(one.tool.name)) {
          flaws.push({ detail: `${one.tool.name} did not answer a client that ${how}.` });
        }
      }
    }
    if (questions === 0) return NOTHING_ASKED;
    const alive = await probe.session().request('tools/list');
    if (alive.result === undefined) {
      const exchange = endOfSequence(alive.exchange);
      flaws.push({ detail: `Then tools/list came back with ${describe(alive)}.`, exchange });
    }
    return judged(flaws, 'a result, or an error');
  },
});

export const silenceSurvived = defineCheck({
  ...family,
  id: 'S2C-04',
  demandsAnswer: true,
  eras: ['legacy'],
  title: 'a client that does not answer does not block the session',
  level: 'SHOULD',
  tier: 'standard',
  source: spec(
    '2025-11-25',
    'basic/lifecycle#timeouts',
    'Implementations SHOULD establish timeouts for all sent requests, to prevent hung connections and resource exhaustion.',
  ),
  remedy: 'Wait for the client without blocking other requests, and give up after a while.',
  async run(probe) {
    const askers = new Set(
      questionsIn(await agreeable(probe))
        .filter(({ question }) => ofCalls(question))
        .map(({ by }) => by.tool.name),
    );
    const tool = (await probe.callable()).find(({ name }) => askers.has(name));
    if (tool === undefined) return NOTHING_ASKED;
    let question = (): void => undefined;
    const asked = new Promise<void>((resolve) => {
      question = resolve;
    });
    const onRequest = (): undefined => {
      question();
    };
    const session = await probe.open({ capabilities: ABLE, onRequest });
    const pending = probe.call(session, tool, tool.arguments[0] ?? {}, { timeoutMs: 500 }).catch(() => undefined);
    await Promise.race([asked, pending]);
    const answer = await session.request('ping');
    await pending;
    if (answer.result !== undefined) return holds();
    return broken({
      detail: `ping came back with ${describe(answer)}.`,
      expected: 'an empty result',
      exchange: answer.exchange,
    });
  },
});

const SENSITIVE =
  /pass(?:word|phrase|code)|secret|api[-_ ]?key|(?:access|auth|bearer|refresh)[-_ ]?token|credit[-_ ]?card|card[-_ ]?number|\bcv[vc]\b|private[-_ ]?key/iu;

const DENIED = /\b(?:not|never|without|don['’]t)\b/iu;

/** A free text whose name, title or description asks for a secret. Choices, numbers and yes or no are no secrets. */
const asksForSecret = (name: string, schema: unknown): boolean => {
  const isText =
    at(schema, 'type') === 'string' && at(schema, 'enum') === undefined && at(schema, 'oneOf') === undefined;
  if (!isText) return false;
  if (SENSITIVE.test(`${name} ${show(at(schema, 'title') ?? '')}`)) return true;
  const description = show(at(schema, 'description') ?? '');
  return SENSITIVE.test(description) && !DENIED.test(description);
};

const sensitiveFields = ({ params }: Question): readonly string[] => {
  const fields = at(params, 'requestedSchema', 'properties');
  return Object.entries(isObject(fields) ? fields : {})
    .filter(([name, schema]) => asksForSecret(name, schema))
    .map(([name]) => name);
};

export const noSecretsInForms = defineCheck({
  ...family,
  id: 'S2C-05',
  title: 'forms do not ask for passwords, keys, tokens or cards',
  level: 'MUST',
  tier: 'standard',
  source: inBoth(
    'client/elicitation#user-interaction-model',
    'Servers MUST NOT use form mode elicitation to request sensitive information such as passwords, API keys, access tokens, or payment credentials',
  ),
  remedy: 'Use URL mode for secrets, so that they do not pass through the client.',
  async run(probe) {
    const questions = questionsIn(await agreeable(probe), 'elicitation/create').filter(
      ({ question }) => question.params['mode'] !== 'url',
    );
    if (questions.length === 0) return NOTHING_ASKED;
    const flaws = questions.flatMap(({ by, question }) =>
      sensitiveFields(question).map((name) => ({
        detail: `${by.tool.name} asks for "${name}".`,
        exchange: evidence(by),
      })),
    );
    return judged(flaws, 'no field for secrets');
  },
});

/** Parameters whose names tell what they carry. That of a token may be the random id that the specification asks for. */
const PERSONAL = /^(?:e-?mail|user(?:name)?|phone)$/iu;

const urlFlaw = (url: unknown): Pick<Flaw, 'detail' | 'beyond'> | undefined => {
  if (typeof url !== 'string' || !URL.canParse(url)) return { detail: `${show(url)} is no URL` };
  const { username, password, searchParams, protocol, hostname } = new URL(url);
  if (username !== '' || password !== '') return { detail: 'it contains credentials' };
  const keys = [...searchParams.keys()];
  const named = keys.find((key) => SENSITIVE.test(key) || PERSONAL.test(key));
  if (named !== undefined) return { detail: `it carries "${named}"` };
  if (keys.includes('token')) return { detail: 'it carries "token"', beyond: true };
  const local = hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
  // That addresses are https is a SHOULD.
  return protocol === 'https:' || (protocol === 'http:' && local)
    ? undefined
    : { detail: `its scheme is ${protocol}`, beyond: true };
};

export const safeUrls = defineCheck({
  ...family,
  id: 'S2C-06',
  title: 'URLs for users are valid, use https, and contain nothing sensitive',
  level: 'MUST',
  since: '2025-11-25',
  tier: 'standard',
  source: inBoth(
    'client/elicitation#safe-url-handling',
    'MUST NOT include sensitive information about the end-user, including credentials, […] in the URL sent to the client in a URL elicitation request.',
  ),
  remedy: 'Put a random, short-lived id into the URL and keep the rest in the server.',
  async run(probe) {
    const questions = questionsIn(await agreeable(probe), 'elicitation/create').filter(
      ({ question }) => question.params['mode'] === 'url',
    );
    if (questions.length === 0) {
      return notVerified(
        'No tool asked the user to open a URL.',
        'a tool that asks the user to open a URL: --allow name',
      );
    }
    const flaws = questions.flatMap(({ by, question }) => {
      const flaw = urlFlaw(question.params['url']);
      if (flaw === undefined) return [];
      const { detail, beyond } = flaw;
      return [{ detail: `The address of ${by.tool.name}: ${detail}.`, exchange: evidence(by), beyond }];
    });
    return judged(flaws, 'an https URL without credentials or personal data');
  },
});

/** Accepts forms with the wrong content. */
const lie = (question: Question): JsonObject =>
  question.method === 'elicitation/create' && question.params['mode'] !== 'url'
    ? { action: 'accept', content: { 'surely-unknown': { nested: true } } }
    : (agree(question) as JsonObject);

const needsContent = ({ params }: Question): boolean => {
  const required = at(params, 'requestedSchema', 'required');
  return Array.isArray(required) && required.length > 0;
};

export const answersValidated = defineCheck({
  ...family,
  id: 'S2C-07',
  title: 'an answer that does not match its form is rejected',
  level: 'SHOULD',
  tier: 'standard',
  source: inBoth(
    'client/elicitation#form-mode-security',
    'Servers SHOULD validate received data matches the requested schema',
  ),
  remedy: 'Validate the content against requestedSchema; ask again or answer with isError.',
  async run(probe) {
    const interviews = (await interview(probe, { capabilities: ABLE, reply: lie })).filter(({ questions }) =>
      questions.some((question) => question.method === 'elicitation/create' && needsContent(question)),
    );
    if (interviews.length === 0) return NOTHING_ASKED;
    const flaws = interviews
      .filter(
        ({ answer }) =>
          answer?.result !== undefined &&
          answer.result['isError'] !== true &&
          at(answer.result, 'resultType') !== 'input_required',
      )
      .map(({ tool, answer }) => ({
        detail: `${tool.name} accepted an answer without a required field of its form.`,
        exchange: answer?.exchange,
      }));
    return judged(flaws, 'isError, an error, or the question again');
  },
});

export const properChoices = defineCheck({
  ...family,
  id: 'S2C-08',
  title: 'defaults in forms match their fields, and choices are strings',
  level: 'SHOULD',
  tier: 'standard',
  source: inBoth(
    'client/elicitation#requested-schema',
    'All primitive types support optional default values to provide sensible starting points.',
  ),
  remedy: 'Give each default the type of its field, and use strings for choices.',
  async run(probe) {
    const questions = questionsIn(await agreeable(probe), 'elicitation/create');
    if (questions.length === 0) return NOTHING_ASKED;
    const flaws = questions.flatMap(({ by, question }) =>
      choiceFlaws(question).map((detail) => ({ detail: `${by.tool.name}: ${detail}`, exchange: evidence(by) })),
    );
    return judged(flaws, 'defaults that match their fields');
  },
});

export const toolsInSampling = defineCheck({
  ...family,
  id: 'S2C-09',
  title: 'tools are sent to the model of the client only when it declares sampling.tools',
  level: 'MUST',
  since: '2025-11-25',
  tier: 'standard',
  source: inBoth(
    'client/sampling#tools-in-sampling',
    'Servers MUST NOT send tool-enabled sampling requests to Clients that have not declared support for tool use via the sampling.tools capability.',
  ),
  remedy: 'Check for sampling.tools before you put tools or toolChoice into a request.',
  async run(probe: Probe) {
    const questions = questionsIn(await agreeable(probe), 'sampling/createMessage');
    if (questions.length === 0) {
      return notVerified('No tool asked the model of the client.', 'a tool that asks for sampling: --allow name');
    }
    const flaws = questions
      .filter(({ question }) => 'tools' in question.params || 'toolChoice' in question.params)
      .map(({ by }) => ({ detail: `${by.tool.name} sent tools.`, exchange: evidence(by) }));
    return judged(flaws, 'no tools, no toolChoice');
  },
});

export const questionChecks = [
  onlyDeclared,
  properQuestions,
  refusalsHandled,
  silenceSurvived,
  noSecretsInForms,
  safeUrls,
  answersValidated,
  properChoices,
  toolsInSampling,
];
