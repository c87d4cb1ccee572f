import type { LlmRequest, Turn } from '@plugboard/testing/llm';

const NUMBERS = Array.from({ length: 300 }, (_, index) => String(index + 1)).join('\n');

const asksForSchema = ({ body }: LlmRequest): boolean => JSON.stringify(body).includes('json_schema');

/** A model that does what the suite asks. */
export const goodModel = (request: LlmRequest): Turn => {
  if (request.toolResults.length > 0) return { text: 'It is 21 degrees in Paris.' };
  const [tool] = request.tools;
  if (tool?.name === 'get_weather') return { toolCalls: [{ name: tool.name, arguments: { city: 'Paris' } }] };
  if (asksForSchema(request)) return { text: '{"city":"Paris","country":"France"}' };
  return { text: (request.maxTokens ?? 0) < 100 ? NUMBERS : 'pong, and the sea is wide and blue.' };
};
