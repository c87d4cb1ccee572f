import { validateResult } from '@plugboard/schema';
import { tryJson } from '../../connection/json.js';
import { afterTool, ASKS, CITY_SCHEMA } from '../ask.js';
import { fail, type Finding, type LlmCheck, PASS } from '../probe/llm-check.js';
import type { Exchange } from '../wire/send.js';
import { judgeCalls } from './tool-calls.js';

const NO_SCHEMA: Finding = { verdict: 'not-applicable', detail: 'This API does not accept a schema for the answer.' };

const judgeText = (text: string, exchange: Exchange): Finding => {
  const value = tryJson(text);
  if (value === undefined) return fail(`The answer is not JSON: ${text}`, 'JSON by the schema', exchange);
  return validateResult(CITY_SCHEMA, value).ok
    ? PASS
    : fail(`The answer does not follow the schema: ${text}`, 'JSON by the schema', exchange);
};

export const STRUCTURED_OUTPUT_CHECKS: readonly LlmCheck[] = [
  {
    id: 'LLM-30',
    title: 'Structured output follows its schema',
    problem: 'Structured output does not follow its schema',
    family: 'Structured output',
    level: 'MUST',
    rule: 'When a request gives a JSON Schema for the answer, the answer is JSON that follows it.',
    remedy: 'Constrain the model to the schema, or reject requests with a schema.',
    judge: async (probe) => {
      if (!probe.dialect.offersSchema) return NO_SCHEMA;
      const { exchange, answer } = await probe.answered(ASKS.structured);
      return judgeText(answer.text, exchange);
    },
  },
  {
    id: 'LLM-31',
    title: 'Structured output works together with tools',
    problem: 'Structured output does not work together with tools',
    family: 'Structured output',
    level: 'MUST',
    rule: 'A request can have tools and a schema: the model calls a tool, or its answer follows the schema, also after the result of a tool.',
    remedy: 'Constrain the text of the model to the schema, not its calls, and accept both in one request.',
    judge: async (probe) => {
      if (!probe.dialect.offersSchema) return NO_SCHEMA;
      const { exchange, answer } = await probe.answered(ASKS.toolAndSchema);
      const [call] = answer.calls;
      if (call === undefined) return judgeText(answer.text, exchange);
      const calls = judgeCalls(answer.calls, exchange);
      if (calls.verdict !== 'pass') return calls;
      const next = await probe.ask(afterTool(call, call.id, ASKS.toolAndSchema));
      if (next.status !== 200) return fail(`The result has status ${next.status}.`, 'status 200', next);
      const last = probe.dialect.readWhole(next.json);
      return last.calls.length > 0 ? judgeCalls(last.calls, next) : judgeText(last.text, next);
    },
  },
];
