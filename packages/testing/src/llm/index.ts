export { type AwsCredentials } from './bedrock/signature.js';
export { llmDouble, LlmDouble } from './llm-double.js';
export { type LlmApi, type LlmRequest, type OfferedTool } from './script/llm-request.js';
export { type ModelFacts, type Models } from './script/model-facts.js';
export { type ToolJudge, type ToolObjection } from './script/tool-judge.js';
export { type TurnSource } from './script/turn-script.js';
export { type LlmFault, type ScriptedToolCall, type ScriptedUsage, type Turn } from './script/turn.js';
export { DOUBLE_CREDENTIALS, DOUBLE_KEY, type LlmDoubleOptions } from './scripted-llm.js';
export { type StreamPiece } from './wire/stream-piece.js';
