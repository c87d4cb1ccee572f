import {
  type AgentTools,
  answerSampling,
  createMcpToolsFromAgent,
  type ModelProvider,
  type SamplingQuestion,
} from '@plugboard/agent';
import type { AgentDefinitionInput } from '@plugboard/contract';

/** Tools whose servers may ask the model, each time with the consent of the user. */
export const toolsThatAsk = (
  provider: ModelProvider,
  model: string,
  agent: AgentDefinitionInput,
  askTheUser: (question: SamplingQuestion) => Promise<boolean>,
): Promise<AgentTools> =>
  createMcpToolsFromAgent(agent, {
    provider: provider.profile,
    sampling: ({ name }) => answerSampling({ provider, model, server: name, consent: askTheUser }),
  });
