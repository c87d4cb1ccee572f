import type { ModelAnswer } from './model-answer.js';

/** A piece of an answer while it is written. Exactly one `answer` ends every stream, and it is the last event. */
export type ModelEvent =
  | { readonly type: 'start'; readonly model: string }
  | { readonly type: 'thinking'; readonly text: string }
  | { readonly type: 'text'; readonly text: string }
  /** `index` counts the tool calls of the answer. */
  | { readonly type: 'tool-call'; readonly index: number; readonly id: string; readonly name: string }
  | { readonly type: 'tool-arguments'; readonly index: number; readonly text: string }
  | { readonly type: 'answer'; readonly answer: ModelAnswer };
