import type { LlmRequest, Turn } from '@plugboard/testing/llm';

const NUMBERS = Array.from({ length: 300 }, (_, index) => String(index + 1)).join('\n');
const CITY = '{"city":"Paris","country":"France"}';

const has = ({ body }: LlmRequest, ...texts: readonly string[]): boolean =>
  texts.some((text) => JSON.stringify(body).includes(text));

/** A model that does what the suite asks. */
export const goodModel = (request: LlmRequest): Turn => {
  const wantsSchema = has(request, 'json_schema');
  if (request.toolResults.length > 0) return { text: wantsSchema ? CITY : 'It is 21 degrees in Paris.' };
  const [tool] = request.tools;
  if (tool?.name === 'get_weather') {
    const isOne = !has(request, 'Rome') || has(request, '"parallel_tool_calls":false', '"disable_parallel_tool_use"');
    const cities = isOne ? ['Paris'] : ['Paris', 'Rome'];
    return { toolCalls: cities.map((city) => ({ name: tool.name, arguments: { city } })) };
  }
  if (wantsSchema) return { text: CITY };
  if (has(request, 'Think first')) return { thinking: 'Seven times seven, and two.', text: '51' };
  if (has(request, 'word word')) return { text: 'pong', usage: { cachedInput: 1_024 } };
  return { text: (request.maxTokens ?? 0) < 100 ? NUMBERS : 'pong, and the sea is wide and blue.' };
};
