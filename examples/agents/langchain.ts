import { type BaseMessage, HumanMessage, type ToolCall, ToolMessage } from '@langchain/core/messages';
import { DynamicStructuredTool } from '@langchain/core/tools';
import type { ChatOpenAI } from '@langchain/openai';
import { type AgentTools, langChainTools } from '@plugboard/agent';

/** Makes one call. Arguments that do not match the schema are thrown by LangChain; the model is told. */
const makeCall = async (tools: readonly DynamicStructuredTool[], call: ToolCall): Promise<ToolMessage> => {
  try {
    const tool = tools.find(({ name }) => name === call.name);
    if (tool === undefined) throw new Error(`There is no tool ${call.name}.`);
    const message: unknown = await tool.invoke({ ...call, type: 'tool_call' });
    return message as ToolMessage;
  } catch (error) {
    return new ToolMessage({ tool_call_id: call.id ?? '', content: String(error), status: 'error' });
  }
};

/** Asks a chat model of LangChain until it needs no more tools. */
export const askLangChain = async (model: ChatOpenAI, agent: AgentTools, question: string): Promise<string> => {
  const tools = langChainTools(agent, (fields) => new DynamicStructuredTool(fields));
  // LangChain asks for all tools of a request to be strict, or for none.
  const bound = model.bindTools(tools, { strict: agent.tools.every(({ profile }) => profile === 'openai-strict') });
  const messages: BaseMessage[] = [new HumanMessage(question)];
  for (let turn = 0; turn < 10; turn += 1) {
    const message = await bound.invoke(messages);
    const calls = message.tool_calls ?? [];
    if (calls.length === 0) return message.text;
    messages.push(message, ...(await Promise.all(calls.map((call) => makeCall(tools, call)))));
  }
  return 'The model did not finish within ten turns.';
};
