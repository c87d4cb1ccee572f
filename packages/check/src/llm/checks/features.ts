import { randomUUID } from 'node:crypto';
import { at, listAt } from '../../connection/json.js';
import { ASKS, type Answer, type Ask } from '../ask.js';
import { fail, type Finding, type LlmCheck, notRequested, PASS } from '../probe/llm-check.js';
import type { LlmProbe } from '../probe/llm-probe.js';
import type { Exchange } from '../wire/send.js';

/** A count before and a count after may differ by what the provider adds. */
const COUNT_TOLERANCE = { tokens: 16, share: 0.1 };

const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isInteger(value) && value >= 0;

const askToThink = async (probe: LlmProbe): Promise<Exchange | undefined> => {
  let last: Exchange | undefined;
  for (const more of probe.dialect.thinking) {
    last = await probe.ask({ ...ASKS.riddle, more });
    if (last.status === 200) break;
  }
  return last;
};

const judgeThoughts = (probe: LlmProbe, answer: Answer, exchange: Exchange): Finding => {
  const { thoughts, usage, text } = answer;
  if (text.trim() === '') return fail('The answer has thoughts only.', 'a text after the thoughts', exchange);
  const unsigned = thoughts.find(({ signature }) => signature === undefined || signature === '');
  if (probe.dialect.signsThoughts && unsigned !== undefined) {
    return fail('A thought has no signature.', 'a signature with each thought', exchange);
  }
  const { reasoning = 0, output = reasoning } = usage ?? {};
  if (reasoning > output) {
    return fail(
      `${reasoning} tokens are thoughts, of ${output} tokens in all.`,
      'thoughts within the output',
      exchange,
    );
  }
  return thoughts.length > 0 || reasoning > 0
    ? PASS
    : { verdict: 'not-verified', detail: 'The model did not think.', supply: 'Choose a model that thinks.' };
};

const vectorsOf = (body: unknown): readonly (readonly number[])[] =>
  listAt(body, 'data')
    .filter((item, index) => at(item, 'index') === index)
    .map((item) => listAt(item, 'embedding').filter((value) => typeof value === 'number'));

const EMBEDDED = ['The sea is wide.', 'Bread is baked in an oven.'];

/** What only some models and endpoints have. */
export const FEATURE_CHECKS: readonly LlmCheck[] = [
  {
    id: 'LLM-80',
    title: 'Thoughts come apart from the answer',
    problem: 'Thoughts are mixed up with the answer, or cannot be given back',
    family: 'Features',
    level: 'SHOULD',
    rule: 'A model that is asked to think answers with a text too. Its thoughts are signed where the API signs them, and their tokens are part of the output.',
    remedy: 'Return thoughts in their own blocks, with the signature of the model, and count them within the output.',
    judge: async (probe) => {
      const exchange = await askToThink(probe);
      if (exchange?.status !== 200) {
        return {
          verdict: 'not-applicable',
          detail: `A request for thoughts has status ${exchange?.status ?? 'none'}.`,
        };
      }
      return judgeThoughts(probe, probe.dialect.readWhole(exchange.json), exchange);
    },
  },
  {
    id: 'LLM-81',
    title: 'A count of tokens agrees with the usage',
    problem: 'A count of tokens does not agree with the usage',
    family: 'Features',
    level: 'SHOULD',
    rule: 'The tokens that are counted before a request are about those that its usage reports.',
    remedy: 'Count with the tokenizer of the model, including what the template of the conversation adds.',
    judge: async (probe) => {
      const { count } = probe.dialect;
      if (count === undefined) return { verdict: 'not-applicable', detail: 'This API does not count tokens.' };
      const exchange = await probe.send(count.request(probe.target, ASKS.plain));
      if (exchange.status !== 200) {
        return { verdict: 'not-applicable', detail: `Counting has status ${exchange.status}.` };
      }
      const counted = count.read(exchange.json);
      if (!isCount(counted)) return fail('The count is not a whole number.', 'a whole number', exchange);
      const used = (await probe.answered(ASKS.plain)).answer.usage?.input;
      if (used === undefined) {
        return { verdict: 'not-verified', detail: 'The usage has no tokens of the prompt.', supply: 'See LLM-03.' };
      }
      const most = Math.max(COUNT_TOLERANCE.tokens, used * COUNT_TOLERANCE.share);
      return Math.abs(counted - used) <= most
        ? PASS
        : fail(`The count is ${counted}, and the usage ${used}.`, 'about the same', exchange);
    },
  },
  {
    id: 'LLM-82',
    title: 'A repeated prompt is read from the cache',
    problem: 'A repeated prompt is not read from the cache',
    family: 'Features',
    level: 'SHOULD',
    rule: 'A long prompt that is sent twice is read from the cache, and the usage reports how many tokens were.',
    remedy: 'Keep prompts that are marked for the cache, and report the tokens that came from it.',
    judge: async (probe) => {
      const { cacheTokens } = probe.target;
      if (cacheTokens === undefined) return notRequested('--cache-tokens', 'sends one long prompt twice');
      const text = `${randomUUID()} ${'word '.repeat(cacheTokens)}`;
      const { cached } = probe.dialect;
      const ask: Ask =
        cached === undefined
          ? { ...ASKS.plain, messages: [{ role: 'user', text }, ...ASKS.plain.messages] }
          : { ...ASKS.plain, more: cached(text) };
      const first = await probe.ask(ask);
      if (first.status !== 200) return fail(`The prompt has status ${first.status}.`, 'status 200', first);
      const second = await probe.ask(ask);
      if (second.status !== 200) return fail(`The second request has status ${second.status}.`, 'status 200', second);
      const read = probe.dialect.readWhole(second.json).usage?.cached;
      const expected = 'more than 0 tokens from the cache';
      if (read === undefined) return fail('The usage does not tell what came from the cache.', expected, second);
      return read > 0 ? PASS : fail('Nothing of the second prompt came from the cache.', expected, second);
    },
  },
  {
    id: 'LLM-83',
    title: 'Embeddings come in the order of the texts',
    problem: 'Embeddings are incomplete or out of order',
    family: 'Features',
    level: 'MUST',
    rule: 'Each text has one vector, in the order of the texts; all vectors have one length, and the usage counts the tokens.',
    remedy: 'Return one vector for each text, with its index, and whole numbers in the usage.',
    judge: async (probe) => {
      const { embed } = probe.dialect;
      const { embeddingModel } = probe.target;
      if (embed === undefined) return { verdict: 'not-applicable', detail: 'This API has no embeddings.' };
      if (embeddingModel === undefined) return notRequested('--embedding-model', 'asks a model for embeddings');
      const exchange = await probe.send(embed(embeddingModel, EMBEDDED));
      if (exchange.status !== 200) return fail(`The status is ${exchange.status}.`, 'status 200', exchange);
      const vectors = vectorsOf(exchange.json);
      const [first = [], second = []] = vectors;
      if (vectors.length !== EMBEDDED.length || first.length === 0 || first.length !== second.length) {
        return fail('There is not one vector of one length for each text, in order.', 'two vectors', exchange);
      }
      return isCount(at(exchange.json, 'usage', 'prompt_tokens'))
        ? PASS
        : fail('The usage does not count the tokens.', 'usage.prompt_tokens', exchange);
    },
  },
];
