import type { Message } from '../conversation/message.js';
import type { OutputFormat, Thinking } from '../conversation/model-request.js';

/** What a client of OpenAI's API asked an agent, in no API's words. */
export interface ServedInput {
  /** The name or id of an agent. */
  readonly agent: string;
  /** Instructions of the client, in addition to those of the agent. */
  readonly system: string | undefined;
  readonly messages: readonly Message[];
  readonly stream: boolean;
  /** Chat Completions report usage in a stream only on demand. */
  readonly streamUsage: boolean;
  /** Does the client want to see what the agent does with its tools? */
  readonly events: boolean;
  /** Does the client decide about calls that may destroy something? */
  readonly approvals: boolean;
  /** The only toolset whose tools the agent has for this answer; all its tools when left out. */
  readonly toolset: string | undefined;
  readonly maxTokens: number | undefined;
  readonly temperature: number | undefined;
  readonly output: OutputFormat | undefined;
  /** Texts that end the answer. */
  readonly stop: readonly string[] | undefined;
  readonly thinking: Thinking | undefined;
}
