import { type AgentTools, openAiChatTools } from '@plugboard/agent';
import type OpenAI from 'openai';

/** Asks a model through OpenAI's Chat Completions until it needs no more tools. */
export const askOpenAi = async (
  client: OpenAI,
  model: string,
  agent: AgentTools,
  question: string,
): Promise<string> => {
  const { tools, run } = openAiChatTools(agent);
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: question }];
  for (let turn = 0; turn < 10; turn += 1) {
    const { choices } = await client.chat.completions.create({ model, messages, tools });
    const message = choices[0]?.message;
    if (message === undefined || (message.tool_calls ?? []).length === 0) return message?.content ?? '';
    messages.push(message, ...(await run(message)));
  }
  return 'The model did not finish within ten turns.';
};
