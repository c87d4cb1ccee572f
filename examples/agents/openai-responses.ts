import { type AgentTools, openAiResponsesTools } from '@plugboard/agent';
import type OpenAI from 'openai';

/** Asks a model through OpenAI's Responses until it needs no more tools. */
export const askResponses = async (
  client: OpenAI,
  model: string,
  agent: AgentTools,
  question: string,
): Promise<string> => {
  const { tools, run } = openAiResponsesTools(agent);
  const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: question }];
  for (let turn = 0; turn < 10; turn += 1) {
    const response = await client.responses.create({ model, input, tools, store: false });
    const results = await run(response.output);
    if (results.length === 0) return response.output_text;
    input.push(...(response.output as OpenAI.Responses.ResponseInput), ...results);
  }
  return 'The model did not finish within ten turns.';
};
