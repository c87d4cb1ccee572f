import type { JsonObject } from '../../json-rpc/message.js';

export type LlmApi = 'openai-chat' | 'openai-responses' | 'anthropic' | 'bedrock' | 'gemini';

/** A tool of a request, in no provider's words. */
export interface OfferedTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: JsonObject;
  readonly strict: boolean;
}

/** A request that the double accepted. */
export interface LlmRequest {
  readonly api: LlmApi;
  readonly model: string;
  readonly stream: boolean;
  readonly tools: readonly OfferedTool[];
  /** The most tokens that the answer may have; undefined: no limit was sent. */
  readonly maxTokens: number | undefined;
  readonly inputTokens: number;
  /** The texts of the results of tools since the last turn of the model. */
  readonly toolResults: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
}
