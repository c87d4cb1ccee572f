import { ASKS } from '../ask.js';
import { fail, type Finding, firstOf, type LlmCheck, notRequested, PASS } from '../probe/llm-check.js';
import type { LlmProbe } from '../probe/llm-probe.js';
import type { Exchange } from '../wire/send.js';

/** A refusal has one of these statuses, and the error body of the API. */
const judgeRefusal = ({ dialect }: LlmProbe, exchange: Exchange, statuses: readonly number[]): Finding => {
  const expected = `status ${statuses.join(' or ')} with the error body of the API`;
  if (!statuses.includes(exchange.status)) return fail(`The status is ${exchange.status}.`, expected, exchange);
  return dialect.errorOf(exchange.json) === undefined
    ? fail('The body is not the error body of the API.', expected, exchange)
    : PASS;
};

const WRONG_KEY = 'sk-plugboard-wrong-key';
const WRONG_AWS = { accessKeyId: 'AKIAPLUGBOARDWRONG', secretAccessKey: 'wrong', region: 'us-east-1' };

const tooLong = (tokens: number): string => 'word '.repeat(Math.ceil(tokens * 1.1));

const retryAfter = (exchange: Exchange): string | null =>
  exchange.headers.get('retry-after') ?? exchange.headers.get('retry-after-ms');

/** How the endpoint refuses. */
export const ERROR_CHECKS: readonly LlmCheck[] = [
  {
    id: 'LLM-40',
    title: 'A wrong key is rejected',
    problem: 'A wrong key is not rejected as the API documents',
    family: 'Errors',
    level: 'MUST',
    rule: 'A request with a wrong key gets status 401 or 403 and an error body.',
    remedy: 'Verify the key before anything else.',
    judge: async (probe) => {
      const { key, aws, isKeyed = false } = probe.target;
      if (key === undefined && aws === undefined && !isKeyed) {
        return { verdict: 'not-applicable', detail: 'The endpoint is examined without a key.' };
      }
      const isSigned = key === undefined && aws !== undefined;
      const wrong = isSigned ? { aws: { ...WRONG_AWS, region: aws.region } } : { key: WRONG_KEY };
      return judgeRefusal(probe, await probe.ask(ASKS.plain, {}, wrong), [401, 403]);
    },
  },
  {
    id: 'LLM-41',
    title: 'An unknown model is rejected',
    problem: 'An unknown model is not rejected as the API documents',
    family: 'Errors',
    level: 'MUST',
    rule: 'A request for a model that does not exist gets status 404 (400 from some APIs) and an error body.',
    remedy: 'Answer with an error instead of using another model.',
    judge: async (probe) =>
      judgeRefusal(probe, await probe.ask({ ...ASKS.plain, model: 'plugboard-no-such-model' }), [400, 403, 404]),
  },
  {
    id: 'LLM-42',
    title: 'An invalid request is rejected',
    problem: 'An invalid request is not rejected as the API documents',
    family: 'Errors',
    level: 'MUST',
    rule: 'A request without messages gets status 400 or 422 and an error body.',
    remedy: 'Validate the body of a request before you use it.',
    judge: async (probe) => judgeRefusal(probe, await probe.ask({ ...ASKS.plain, messages: [] }), [400, 422]),
  },
  {
    id: 'LLM-43',
    title: 'A prompt that is too long is rejected',
    problem: 'A prompt that is too long is not rejected as the API documents',
    family: 'Errors',
    level: 'MUST',
    rule: 'A prompt that exceeds the context window gets status 400 or 413 and an error body; it is not cut silently.',
    remedy: 'Count the tokens of the prompt, and reject what does not fit.',
    judge: async (probe) => {
      const { contextTokens } = probe.target;
      if (contextTokens === undefined) return notRequested('--context-tokens', 'sends one prompt that is too long');
      const messages = [{ role: 'user', text: tooLong(contextTokens) }] as const;
      return judgeRefusal(probe, await probe.ask({ ...ASKS.plain, messages }), [400, 413]);
    },
  },
  {
    id: 'LLM-44',
    title: 'A rate limit tells when to retry',
    problem: 'A rate limit does not tell when to retry',
    family: 'Errors',
    level: 'SHOULD',
    rule: 'Status 429 comes with an error body and the header Retry-After.',
    remedy: 'Send Retry-After with every status 429.',
    judge: async (probe) => {
      const { burst } = probe.target;
      if (burst === 0) return notRequested('--burst', 'sends that many requests at once');
      const all = await Promise.all(Array.from({ length: burst }, () => probe.ask(ASKS.plain)));
      const limited = all.find(({ status }) => status === 429);
      if (limited === undefined) {
        return {
          verdict: 'not-verified',
          detail: `None of ${burst} requests at once met a limit.`,
          supply: 'Raise --burst.',
        };
      }
      return firstOf(
        judgeRefusal(probe, limited, [429]),
        retryAfter(limited) === null ? fail('Retry-After is missing.', 'the header Retry-After', limited) : PASS,
      );
    },
  },
];
