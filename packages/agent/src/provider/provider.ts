import type { ProfileId } from '@plugboard/schema';
import type { ModelAnswer } from '../conversation/model-answer.js';
import type { ModelEvent } from '../conversation/model-event.js';
import type { ModelRequest } from '../conversation/model-request.js';
import { ModelError } from './error/model-error.js';

export interface AskOptions {
  readonly signal?: AbortSignal | undefined;
  /** For the whole answer. Default: 60 s, and 600 s for a stream. */
  readonly timeoutMs?: number | undefined;
}

export interface BatchItem {
  readonly id: string;
  readonly request: ModelRequest;
}

export interface BatchState {
  readonly id: string;
  readonly done: boolean;
  /** The provider's word for it. */
  readonly status: string;
}

export type BatchResult =
  | { readonly id: string; readonly answer: ModelAnswer }
  | { readonly id: string; readonly error: { readonly message: string; readonly status: number | null } };

/** Many requests that are answered within a day, for less money. */
export interface ModelBatches {
  submit(items: readonly BatchItem[], options?: AskOptions): Promise<BatchState>;
  poll(id: string, options?: AskOptions): Promise<BatchState>;
  results(id: string, options?: AskOptions): Promise<readonly BatchResult[]>;
  cancel(id: string, options?: AskOptions): Promise<BatchState>;
}

/** A provider of models. Failures are `ModelError`s; a cancelled request throws the reason of its signal. */
export interface ModelProvider {
  /** For messages: `openai`, `anthropic`, … */
  readonly name: string;
  /** The rules that names and schemas of tools must follow. */
  readonly profile: ProfileId;
  complete(request: ModelRequest, options?: AskOptions): Promise<ModelAnswer>;
  stream(request: ModelRequest, options?: AskOptions): AsyncIterable<ModelEvent>;
  /** Undefined where the provider has no such service. */
  readonly countTokens?: ((request: ModelRequest, options?: AskOptions) => Promise<number>) | undefined;
  readonly embed?:
    | ((model: string, texts: readonly string[], options?: AskOptions) => Promise<readonly (readonly number[])[]>)
    | undefined;
  readonly batches?: ModelBatches | undefined;
  /** Releases the connections. */
  close(): void;
}

/** Reads a stream to its end. */
export const collectAnswer = async (events: AsyncIterable<ModelEvent>): Promise<ModelAnswer> => {
  for await (const event of events) if (event.type === 'answer') return event.answer;
  throw new ModelError('connection', { provider: 'unknown', said: 'the stream ended without an answer.' });
};
