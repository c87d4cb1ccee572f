import { validateResult } from '@plugboard/schema';
import { tryJson } from '../../connection/json.js';
import { ASKS, CITY_SCHEMA } from '../ask.js';
import { fail, type LlmCheck, PASS } from '../llm-check.js';

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
      if (!probe.dialect.offersSchema) {
        return { verdict: 'not-applicable', detail: 'This API does not accept a schema for the answer.' };
      }
      const { exchange, answer } = await probe.answered(ASKS.structured);
      const value = tryJson(answer.text);
      if (value === undefined) return fail(`The answer is not JSON: ${answer.text}`, 'JSON by the schema', exchange);
      return validateResult(CITY_SCHEMA, value).ok
        ? PASS
        : fail(`The answer does not follow the schema: ${answer.text}`, 'JSON by the schema', exchange);
    },
  },
];
