import type { Message } from './message.js';

/** A tool that is offered to the model, with a name and a schema that its provider accepts. */
export interface ModelTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly strict?: boolean | undefined;
}

/** `auto`: the model decides. `required`: it must call a tool. An object names the tool that it must call. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly tool: string };

export type Effort = 'low' | 'medium' | 'high';

export interface Thinking {
  readonly effort?: Effort | undefined;
  /** For models that count what they think: at least 1,024. */
  readonly budgetTokens?: number | undefined;
}

/** The answer must be JSON that this schema describes. */
export interface OutputFormat {
  readonly name?: string | undefined;
  readonly schema: Readonly<Record<string, unknown>>;
  /** Default: true, where the provider has it. */
  readonly strict?: boolean | undefined;
}

/** What a model is asked, in no provider's words. */
export interface ModelRequest {
  readonly model: string;
  readonly system?: string | undefined;
  readonly messages: readonly Message[];
  readonly tools?: readonly ModelTool[] | undefined;
  readonly toolChoice?: ToolChoice | undefined;
  /** May the model call several tools in one turn? Default: the provider's. */
  readonly parallelToolCalls?: boolean | undefined;
  readonly output?: OutputFormat | undefined;
  readonly maxTokens?: number | undefined;
  readonly temperature?: number | undefined;
  readonly stop?: readonly string[] | undefined;
  readonly thinking?: Thinking | undefined;
  /** Marks the stable beginning of the prompt for the cache of the provider. */
  readonly cache?: boolean | undefined;
  /** Lets the provider remove old tool results when the conversation becomes long, where it can. */
  readonly clearOldToolResults?: boolean | undefined;
}
