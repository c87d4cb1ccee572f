import type { Answer, Ask, SeenEvent } from '../ask.js';
import type { LlmTarget } from '../target.js';

/** A request before it becomes bytes. */
export interface Outgoing {
  readonly method: 'GET' | 'POST';
  /** Below the address of the target. */
  readonly path: string;
  readonly body?: unknown;
  /** In place of JSON: the parts of a form. */
  readonly form?: FormData;
}

/** The error body of a provider. */
export interface ProviderError {
  readonly type: string;
  readonly message: string;
}

/** Sends a request that must succeed. */
export type SendStep = (outgoing: Outgoing) => Promise<{ readonly json: unknown; readonly text: string }>;

/** How a batch is submitted, followed and read. */
export interface BatchSteps {
  /** Submits one request; gives the path where the batch can be looked at. */
  submit(send: SendStep, target: LlmTarget, ask: Ask): Promise<string>;
  isDone(batch: unknown): boolean;
  /** The lines of its results. */
  results(send: SendStep, batch: unknown): Promise<string>;
}

/** What a provider did not do as it documents batches. */
export class BatchProblem extends Error {}

/** How one provider writes and reads the same things. */
export interface Dialect {
  readonly name: string;
  readonly docs: string;
  readonly streamType: string;
  /** The documented reasons why an answer ends. */
  readonly finishes: ReadonlySet<string>;
  readonly limitFinish: string;
  /** undefined: a call of a tool ends with no reason of its own. */
  readonly toolFinish: string | undefined;
  readonly offersSchema: boolean;
  request(target: LlmTarget, ask: Ask): Outgoing;
  headers(target: LlmTarget): Readonly<Record<string, string>>;
  readWhole(body: unknown): Answer;
  readStream(bytes: Uint8Array): readonly SeenEvent[];
  errorOf(body: unknown): ProviderError | undefined;
  /** A request that tells whether the model exists, without using it. */
  readonly lookup?: (target: LlmTarget) => Outgoing;
  readonly batch?: BatchSteps;
}
