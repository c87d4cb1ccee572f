import type { AIMessage, BaseMessage, ToolMessage } from '@langchain/core/messages';
import { HumanMessage } from '@langchain/core/messages';
import { DynamicStructuredTool } from '@langchain/core/tools';
import { type AgentTools, langChainTools } from '@plugboard/agent';

/** A chat model of LangChain to which tools can be bound, such as ChatOpenAI. */
export interface ToolModel {
  bindTools(tools: DynamicStructuredTool[]): { invoke(messages: BaseMessage[]): Promise<AIMessage> };
}

/** Asks a chat model of LangChain until it needs no more tools. */
export const askLangChain = async (model: ToolModel, agent: AgentTools, question: string): Promise<string> => {
  const tools = langChainTools(agent, (fields) => new DynamicStructuredTool(fields));
  const bound = model.bindTools(tools);
  const messages: BaseMessage[] = [new HumanMessage(question)];
  for (let turn = 0; turn < 10; turn += 1) {
    const message = await bound.invoke(messages);
    messages.push(message);
    if ((message.tool_calls ?? []).length === 0) return message.text;
    for (const call of message.tool_calls ?? []) {
      const found = tools.find(({ name }) => name === call.name);
      const result: unknown = await found?.invoke({ ...call, type: 'tool_call' });
      messages.push(result as ToolMessage);
    }
  }
  return 'The model did not finish within ten turns.';
};
