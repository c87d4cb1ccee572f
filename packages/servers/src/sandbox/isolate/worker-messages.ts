import type { Engine } from './engine-module.js';
import type { ConsoleLine, IsolateJob, RunOutcome } from './isolate-job.js';

/** Compiled once, shared by all workers. */
export interface WorkerData {
  readonly engine: Engine;
}

export type ToWorker =
  | { readonly kind: 'job'; readonly job: IsolateJob; readonly run: number }
  | { readonly kind: 'answer'; readonly run: number; readonly call: number; readonly text: string };

export type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'line'; readonly line: ConsoleLine }
  | { readonly kind: 'question'; readonly run: number; readonly call: number; readonly text: string }
  | { readonly kind: 'outcome'; readonly outcome: RunOutcome };
