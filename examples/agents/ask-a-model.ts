import { type AnthropicOptions, anthropicProvider, resilientProvider, userText } from '@plugboard/agent';

/** Streams the answer of a model. If it does not answer, a smaller one does. The options have the key: `{ apiKey }`. */
export const askClaude = async (
  options: AnthropicOptions,
  question: string,
  write: (text: string) => void,
): Promise<void> => {
  const claude = resilientProvider(anthropicProvider(options), { fallback: { model: 'claude-haiku-5-5' } });
  for await (const event of claude.stream({ model: 'claude-sonnet-5-5', messages: [userText(question)] })) {
    if (event.type === 'text') write(event.text);
    if (event.type === 'answer') write(`\n${event.answer.usage.total ?? 'unknown'} tokens\n`);
  }
};
