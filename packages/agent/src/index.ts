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
export { aiSdkTools, type AiSdkFields, type AiSdkOptions } from './adapter/ai-sdk.js';
export { langChainTools, type LangChainFields, type LangChainOptions } from './adapter/langchain.js';
export { openAiAgentsTools, type AgentsSdkFields } from './adapter/openai-agents.js';
// conversations with models
export {
  type AssistantMessage,
  type AssistantPart,
  type MediaPart,
  type Message,
  type TextPart,
  textOf,
  type ThinkingPart,
  type ToolCallPart,
  type ToolMessage,
  type ToolResultPart,
  type UserMessage,
  type UserPart,
  userText,
} from './conversation/message.js';
export { type Finish, type FinishKind, type ModelAnswer, type Usage } from './conversation/model-answer.js';
export { type ModelEvent } from './conversation/model-event.js';
export {
  type Effort,
  type ModelRequest,
  type ModelTool,
  type OutputFormat,
  type Thinking,
  type ToolChoice,
} from './conversation/model-request.js';
// providers of models
export {
  type AskOptions,
  type BatchItem,
  type BatchResult,
  type BatchState,
  type ModelBatches,
  type ModelProvider,
} from './provider/provider.js';
export { type AnthropicOptions } from './provider/anthropic/anthropic-client.js';
export { anthropicProvider } from './provider/anthropic/anthropic-provider.js';
export { type BedrockBatchOptions, type BedrockOptions } from './provider/bedrock/bedrock-client.js';
export { bedrockProvider } from './provider/bedrock/bedrock-provider.js';
export { type OpenAiOptions } from './provider/openai/openai-client.js';
export { openAiChatProvider } from './provider/openai/openai-chat-provider.js';
export { openAiResponsesProvider } from './provider/openai/openai-responses-provider.js';
export { createProvider, type ProviderOptions } from './provider/choose/create-provider.js';
export { providerPlace, type ProviderPlace } from './provider/choose/provider-place.js';
export { type ModelAddress, parseModelAddress, type ProviderKind } from './provider/choose/model-address.js';
export { type ModelFeatures } from './provider/feature/model-features.js';
export { ModelError, type ModelErrorFacts, type ModelFailure } from './provider/error/model-error.js';
export { createModelCircuits, type ModelCircuits } from './provider/resilience/model-circuits.js';
export { type Fallback, resilientProvider, type ResilienceOptions } from './provider/resilience/resilient-provider.js';
export { recordProvider, type RecordOptions, type RedactJson } from './provider/recording/record-provider.js';
export { replayProvider, type ReplayOptions } from './provider/recording/replay-provider.js';
// the agent loop
export { type AgentEvent, type AgentRun, type RunEnd } from './loop/agent-event.js';
export type { ApprovalRule } from './loop/needs-approval.js';
export { runAgent, type AgentRunOptions, type RunLimits } from './loop/run-agent.js';
export { transcript } from './loop/transcript.js';
// agents behind OpenAI's API
export { readChat } from './serve/read-chat.js';
export { readResponses } from './serve/read-responses.js';
export { type ServedEvent, type ServedHead, writeServedEvent } from './serve/served-head.js';
export { type ServedInput } from './serve/served-input.js';
export { streamChat, writeChat } from './serve/write-chat.js';
export { streamResponse, writeResponse } from './serve/write-responses.js';
export { type CallableTool } from './tool/called-tool.js';
export { toolsFromCalls, type ToolsFromCallsOptions } from './tools-from-calls.js';
// what servers ask
export { answerSampling, type SamplingOptions, type SamplingQuestion } from './sampling/answer-sampling.js';
