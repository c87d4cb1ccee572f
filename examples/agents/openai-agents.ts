import { Agent, type Model, Runner, tool } from '@openai/agents-core';
import { type AgentTools, openAiAgentsTools } from '@plugboard/agent';

/** Lets the OpenAI Agents SDK run the loop. */
export const askAgentsSdk = async (model: Model, agent: AgentTools, question: string): Promise<string> => {
  const tools = openAiAgentsTools(agent, (fields) => tool(fields));
  const runner = new Runner({ tracingDisabled: true });
  const result = await runner.run(new Agent({ name: 'Assistant', model, tools }), question, { maxTurns: 10 });
  return String(result.finalOutput);
};
