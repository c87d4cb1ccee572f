import { createMcpToolsFromAgent, type ModelProvider, runAgent, userText } from '@plugboard/agent';
import type { AgentDefinitionInput } from '@plugboard/contract';

/** Lets a model work with the tools of an agent until it is done. */
export const runLoop = async (
  { provider, model }: { readonly provider: ModelProvider; readonly model: string },
  agent: AgentDefinitionInput,
  question: string,
  write: (text: string) => void,
): Promise<void> => {
  await using tools = await createMcpToolsFromAgent(agent, { provider: provider.profile });
  for await (const event of runAgent({ provider, model, tools, messages: [userText(question)], maxTurns: 10 })) {
    if (event.type === 'text') write(event.text);
    if (event.type === 'tool-call') write(`→ ${event.name} ${event.arguments}\n`);
    if (event.type === 'done') write(`\n${event.run.end} after ${event.run.turns} turns\n`);
  }
};
