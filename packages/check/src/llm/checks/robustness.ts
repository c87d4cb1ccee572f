import { NoAnswer } from '../../connection/no-answer.js';
import { ASKS } from '../ask.js';
import { fail, type LlmCheck, PASS } from '../probe/llm-check.js';

const FIRST_BYTES = 1;
/** Shorter than any model needs. */
const IMPATIENCE_MS = 50;

/** What must not disturb the endpoint, and what no answer may be. */
export const ROBUSTNESS_CHECKS: readonly LlmCheck[] = [
  {
    id: 'LLM-60',
    title: 'A cancelled stream does not disturb the next request',
    problem: 'After a cancelled stream, the next request fails',
    family: 'Robustness',
    level: 'MUST',
    rule: 'Clients cancel a stream by closing the connection. The endpoint answers the next request as before.',
    remedy: 'Stop the generation when the connection closes, and release what it holds.',
    judge: async (probe) => {
      const cut = await probe.ask(ASKS.story, { stopAfter: FIRST_BYTES });
      if (cut.status !== 200) return fail(`The stream has status ${cut.status}.`, 'status 200', cut);
      const next = await probe.ask(ASKS.plain);
      return next.status === 200 ? PASS : fail(`The next request has status ${next.status}.`, 'status 200', next);
    },
  },
  {
    id: 'LLM-62',
    title: 'A request whose client gave up does not disturb the next',
    problem: 'After a request whose client gave up, the next request fails',
    family: 'Robustness',
    level: 'MUST',
    rule: 'Clients have time limits, and close the connection when they pass. The endpoint answers the next request as before.',
    remedy: 'Stop the generation when the connection closes, and release what it holds.',
    judge: async (probe) => {
      const answer = probe.ask({ ...ASKS.story, stream: false }, {}, { timeoutMs: IMPATIENCE_MS });
      await answer.catch((error: unknown) => {
        if (!(error instanceof NoAnswer)) throw error;
      });
      const next = await probe.ask(ASKS.plain);
      return next.status === 200 ? PASS : fail(`The next request has status ${next.status}.`, 'status 200', next);
    },
  },
  {
    id: 'LLM-61',
    title: 'Errors never come with status 200',
    problem: 'An error comes with status 200',
    family: 'Robustness',
    level: 'MUST',
    rule: 'The status tells clients whether to read an answer or an error.',
    remedy: 'Send errors with the status that the API documents for them.',
    judge: async (probe) => {
      await probe.answered(ASKS.plain);
      const wrong = probe.exchanges.find(
        ({ status, json }) => status === 200 && probe.dialect.errorOf(json) !== undefined,
      );
      return wrong === undefined ? PASS : fail('The body is an error.', 'an answer, or a status of 400 or more', wrong);
    },
  },
];
