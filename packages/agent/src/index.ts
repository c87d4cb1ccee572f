// agents
export { agentFromFile } from './definition/agent-from-file.js';
export { agentFromHub, type HubAgentOptions } from './definition/agent-from-hub.js';
export { createMcpToolsFromAgent, type CreateToolsOptions } from './create-tools.js';
// tools
export { type AgentTool, type AgentToolMetadata, type CallOptions } from './tool/agent-tool.js';
export { type AgentTools, type RejectedTool } from './tool/agent-tools.js';
export { ToolCallError } from './tool/tool-call-error.js';
export { runCalls, type FinishedCall, type ModelCall, type RunOptions } from './run/run-calls.js';
export { type ContentPart, type ToolOutcome } from './result/tool-outcome.js';
export { outcomeText } from './result/outcome-text.js';
// providers
export { anthropicTools, type AnthropicTool, type ToolResultMessage } from './adapter/anthropic.js';
export { bedrockTools, type ConverseResultMessage } from './adapter/bedrock.js';
export { geminiTools, type FunctionResponsePart } from './adapter/gemini.js';
export { openAiChatTools, type ChatCallMessage, type ChatResultMessage, type ChatTool } from './adapter/openai-chat.js';
export { openAiResponsesTools, type FunctionCallOutput, type ResponsesTool } from './adapter/openai-responses.js';
// agent libraries
export { aiSdkTools, type AiSdkFields } from './adapter/ai-sdk.js';
export { langChainTools, type LangChainFields } from './adapter/langchain.js';
export { openAiAgentsTools, type AgentsSdkFields } from './adapter/openai-agents.js';
