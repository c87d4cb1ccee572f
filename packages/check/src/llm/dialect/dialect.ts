import type { JsonObject } from '../../connection/json.js';
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
  /** What of a body forbids more than one call; undefined: nothing does. */
  readonly oneCall: JsonObject | undefined;
  /** What of a body makes the model think; generations of models differ, so each is tried. */
  readonly thinking: readonly JsonObject[];
  /** Does each thought have a signature, without which the conversation cannot go on? */
  readonly signsThoughts: boolean;
  /** What of a body marks a text for the cache; undefined: the provider marks by itself. */
  readonly cached: ((text: string) => JsonObject) | undefined;
  request(target: LlmTarget, ask: Ask): Outgoing;
  headers(target: LlmTarget): Readonly<Record<string, string>>;
  readWhole(body: unknown): Answer;
  readStream(bytes: Uint8Array): readonly SeenEvent[];
  errorOf(body: unknown): ProviderError | undefined;
  /** A request that tells whether the model exists, without using it. */
  readonly lookup?: (target: LlmTarget) => Outgoing;
  readonly batch?: BatchSteps;
  /** Counts the tokens of a request without sending it to the model. */
  readonly count?: {
    readonly request: (target: LlmTarget, ask: Ask) => Outgoing;
    readonly read: (body: unknown) => unknown;
  };
  readonly embed?: (model: string, texts: readonly string[]) => Outgoing;
}
