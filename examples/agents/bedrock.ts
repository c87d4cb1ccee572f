import { type BedrockRuntimeClient, ConverseCommand, type Message } from '@aws-sdk/client-bedrock-runtime';
import { type AgentTools, bedrockTools } from '@plugboard/agent';

/** Asks a model through Bedrock's Converse until it needs no more tools. */
export const askBedrock = async (
  client: BedrockRuntimeClient,
  modelId: string,
  agent: AgentTools,
  question: string,
): Promise<string> => {
  const { toolConfig, run } = bedrockTools(agent);
  const messages: Message[] = [{ role: 'user', content: [{ text: question }] }];
  for (let turn = 0; turn < 10; turn += 1) {
    const { output } = await client.send(new ConverseCommand({ modelId, messages, toolConfig }));
    const content = output?.message?.content ?? [];
    const results = await run(content);
    if (results.content.length === 0) return content.map(({ text }) => text ?? '').join('');
    messages.push({ role: 'assistant', content }, results);
  }
  return 'The model did not finish within ten turns.';
};
