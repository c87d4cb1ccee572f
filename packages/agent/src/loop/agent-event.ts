import type { Message } from '../conversation/message.js';
import type { Finish, Usage } from '../conversation/model-answer.js';
import type { Media } from '../result/media.js';
import type { ToolOutcome } from '../result/tool-outcome.js';

/** Why a run ended. All but `finished` leave work undone; `messages` can be continued. */
export type RunEnd = 'finished' | 'turn-limit' | 'tool-call-limit' | 'token-limit' | 'time-limit';

export interface AgentRun {
  readonly end: RunEnd;
  /** What the model said last. */
  readonly text: string;
  readonly finish: Finish;
  /** Of all requests together. */
  readonly usage: Usage;
  readonly turns: number;
  readonly toolCalls: number;
  /** The whole conversation, with everything that this run added. */
  readonly messages: readonly Message[];
}

/** What happens while an agent works. Exactly one `done` ends every run, and it is the last event. */
export type AgentEvent =
  | { readonly type: 'turn'; readonly turn: number; readonly model: string }
  | { readonly type: 'thinking'; readonly text: string }
  | { readonly type: 'text'; readonly text: string }
  /** The model wants this call. It is not made yet. */
  | {
      readonly type: 'tool-call';
      readonly id: string;
      readonly name: string;
      /** The server that has the tool; undefined: there is no such tool. */
      readonly server: string | undefined;
      readonly arguments: string;
    }
  /** The call with this id waits for a yes. */
  | { readonly type: 'approval'; readonly id: string; readonly name: string }
  | {
      readonly type: 'tool-result';
      readonly id: string;
      readonly name: string;
      readonly kind: ToolOutcome['kind'];
      readonly text: string;
      readonly isError: boolean;
      /** Pictures and sounds of the result; omitted when it has none. */
      readonly media?: readonly Media[];
      /** How long the tool took; 0 when it was not called. */
      readonly durationMs: number;
    }
  | { readonly type: 'done'; readonly run: AgentRun };
