import { fail, type LlmCheck, PASS } from '../probe/llm-check.js';

export const CONFIGURATION_CHECKS: readonly LlmCheck[] = [
  {
    id: 'LLM-01',
    title: 'The API for models or token counts knows the model',
    problem: 'The model cannot be looked up without using it',
    family: 'Configuration',
    level: 'SHOULD',
    rule: 'Clients look up a model, or count the tokens of a prompt, before they send it.',
    remedy: 'Implement the route for models (OpenAI) or token counts (Anthropic).',
    judge: async (probe) => {
      const { lookup } = probe.dialect;
      if (lookup === undefined) return { verdict: 'not-applicable', detail: 'This API has no such route.' };
      const exchange = await probe.send(lookup(probe.target));
      return exchange.status === 200 && exchange.json !== undefined
        ? PASS
        : fail(`The status is ${exchange.status}.`, 'status 200 with JSON', exchange);
    },
  },
];
