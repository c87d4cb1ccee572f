import { ASKS, LIMIT } from '../ask.js';
import { fail, type LlmCheck, PASS } from '../probe/llm-check.js';

/** Counting differs a little between the model and the meter. */
const TOLERANCE = 2;

/** An answer that comes as a whole. */
export const COMPLETION_CHECKS: readonly LlmCheck[] = [
  {
    id: 'LLM-02',
    title: 'A completion has the documented shape',
    problem: 'A completion does not have the documented shape',
    family: 'Completions',
    level: 'MUST',
    rule: 'A completion contains an id, the role of the assistant and its content.',
    remedy: 'Return every documented member with its documented type.',
    judge: async (probe) => {
      const { exchange, answer } = await probe.answered(ASKS.plain);
      if (exchange.json === undefined) return fail('The body is not JSON.', 'a JSON object', exchange);
      if (answer.problems.length > 0) return fail(`${answer.problems.join('; ')}.`, 'the documented members', exchange);
      return answer.text.trim() === '' ? fail('The answer has no text.', 'a text of the assistant', exchange) : PASS;
    },
  },
  {
    id: 'LLM-03',
    title: 'A completion reports its token usage',
    problem: 'The token usage is missing or wrong',
    family: 'Completions',
    level: 'MUST',
    rule: 'A completion reports the tokens of the prompt and of the answer; their sum is the total.',
    remedy: 'Report whole numbers for input and output tokens with every completion.',
    judge: async (probe) => {
      const { exchange, answer } = await probe.answered(ASKS.plain);
      const expected = 'whole numbers for input and output tokens';
      const { usage } = answer;
      if (usage === undefined) return fail('The answer has no usage.', expected, exchange);
      const { input, output, total } = usage;
      if (input === undefined || output === undefined) {
        return fail('The usage lacks input or output tokens, or they are not whole numbers.', expected, exchange);
      }
      if (input === 0 || output === 0) return fail('The usage counts no tokens for a text.', expected, exchange);
      return total === undefined || total === input + output
        ? PASS
        : fail(`The total is ${total}, but ${input} + ${output} is ${input + output}.`, 'the sum', exchange);
    },
  },
  {
    id: 'LLM-04',
    title: 'The token limit of a request is respected',
    problem: 'The token limit of a request is ignored',
    family: 'Completions',
    level: 'MUST',
    rule: 'An answer that reaches the token limit ends there, and its finish reason says so.',
    remedy: 'Stop at the limit, and set the finish reason for the limit.',
    judge: async (probe) => {
      const { exchange, answer } = await probe.answered(ASKS.long);
      const { limitFinish } = probe.dialect;
      const output = answer.usage?.output;
      if (output !== undefined && output > LIMIT + TOLERANCE) {
        return fail(
          `The answer has ${output} tokens, and the limit was ${LIMIT}.`,
          `at most ${LIMIT} tokens`,
          exchange,
        );
      }
      return answer.finish === limitFinish
        ? PASS
        : fail(`The finish reason is "${answer.finish ?? 'missing'}".`, `the reason "${limitFinish}"`, exchange);
    },
  },
  {
    id: 'LLM-05',
    title: 'The finish reason is a documented one',
    problem: 'The finish reason is not a documented one',
    family: 'Completions',
    level: 'SHOULD',
    rule: 'Clients decide by the finish reason what to do next, so it is one of the documented reasons.',
    remedy: 'Map the reasons of the model to those of the API.',
    judge: async (probe) => {
      const { exchange, answer } = await probe.answered(ASKS.plain);
      const known = [...probe.dialect.finishes].join(', ');
      if (answer.finish === undefined) return fail('There is no finish reason.', `one of: ${known}`, exchange);
      return probe.dialect.finishes.has(answer.finish)
        ? PASS
        : fail(`The finish reason is "${answer.finish}".`, `one of: ${known}`, exchange);
    },
  },
];
