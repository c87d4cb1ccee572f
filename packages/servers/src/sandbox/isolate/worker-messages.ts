import type { EngineModule } from './engine-module.js';
import type { ConsoleLine, IsolateJob, RunOutcome } from './isolate-job.js';

/** Compiled once, shared by all workers. */
export interface WorkerData {
  readonly wasm: EngineModule;
}

export interface ToWorker {
  readonly job: IsolateJob;
}

export type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'line'; readonly line: ConsoleLine }
  | { readonly kind: 'outcome'; readonly outcome: RunOutcome };
