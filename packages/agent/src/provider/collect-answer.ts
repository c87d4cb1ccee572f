import type { ModelAnswer } from '../conversation/model-answer.js';
import type { ModelEvent } from '../conversation/model-event.js';
import { ModelError } from './error/model-error.js';

/** Reads a stream to its end. */
export const collectAnswer = async (events: AsyncIterable<ModelEvent>): Promise<ModelAnswer> => {
  for await (const event of events) if (event.type === 'answer') return event.answer;
  throw new ModelError('connection', { provider: 'unknown', said: 'the stream ended without an answer.' });
};
