import { type AgentTools, aiSdkTools } from '@plugboard/agent';
import { dynamicTool, generateText, jsonSchema, type LanguageModel, stepCountIs } from 'ai';

/** Lets the AI SDK run the loop. */
export const askAiSdk = async (model: LanguageModel, agent: AgentTools, question: string): Promise<string> => {
  const tools = aiSdkTools(agent, ({ schema, ...fields }) =>
    dynamicTool({ ...fields, inputSchema: jsonSchema(schema) }),
  );
  const { text } = await generateText({ model, tools, prompt: question, stopWhen: stepCountIs(10) });
  return text;
};
