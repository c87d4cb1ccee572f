import type Anthropic from '@anthropic-ai/sdk';
import { type AgentTools, anthropicTools } from '@plugboard/agent';

/** Asks a model through Anthropic's Messages until it needs no more tools. */
export const askAnthropic = async (
  client: Anthropic,
  model: string,
  agent: AgentTools,
  question: string,
): Promise<string> => {
  const { tools, run } = anthropicTools(agent);
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: question }];
  for (let turn = 0; turn < 10; turn += 1) {
    const message = await client.messages.create({ model, max_tokens: 4096, messages, tools });
    const results = await run(message.content);
    if (results.content.length === 0) {
      return message.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
    }
    messages.push({ role: 'assistant', content: message.content }, results);
  }
  return 'The model did not finish within ten turns.';
};
