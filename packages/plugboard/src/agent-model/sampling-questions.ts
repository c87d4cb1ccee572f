import { answerSampling, type ModelProvider, type SamplingQuestion } from '@plugboard/agent';
import { type AgentModel, PlugboardError } from '@plugboard/contract';
import type { ServerQuestions } from '@plugboard/gateway';

/** Who answers what a server asks during a call; undefined: nobody. */
export type QuestionsOf = (server: string) => ServerQuestions | undefined;

/** What all servers together may ask during one run: each question costs a request to the model. */
const MOST_QUESTIONS = 20;
/** The size of all these questions together, as JSON: what a model reads costs as well. */
const MOST_CHARACTERS = 512 * 1024;

const CAPABILITIES = { sampling: {} };

/**
 * Lets servers ask the model of the agent whose tools they serve. The one who operates the hub consents in advance, by
 * naming the servers in the settings of the agent; others are not told that there is a model.
 */
export const samplingQuestions = (
  { name: model, max_tokens: maxTokens, sampling_servers: allowed = [] }: AgentModel,
  provider: ModelProvider,
): QuestionsOf => {
  let asked = 0;
  let characters = 0;
  return (server) => {
    if (!allowed.includes(server)) return undefined;
    const consent = ({ system = '', messages }: SamplingQuestion): boolean => {
      asked += 1;
      characters += system.length + JSON.stringify(messages).length;
      return asked <= MOST_QUESTIONS && characters <= MOST_CHARACTERS;
    };
    const answer = answerSampling({ provider, model, server, consent, maxTokens });
    return {
      capabilities: CAPABILITIES,
      ask: async (method, params, signal) => {
        if (method === 'sampling/createMessage') return await answer({ method, params, signal });
        throw new PlugboardError('METHOD_NOT_FOUND', `The agent does not answer ${method}.`);
      },
    };
  };
};
