import type { Models } from './model-facts.js';
import type { ToolJudge } from './tool-judge.js';

/** What a reader of requests needs to know of the double. */
export interface Reading {
  readonly models: Models;
  readonly judge: ToolJudge;
  readonly keys: ReadonlySet<string>;
}
