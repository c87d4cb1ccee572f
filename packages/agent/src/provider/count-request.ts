import { type Message, userText } from '../conversation/message.js';
import type { ModelRequest } from '../conversation/model-request.js';
import { tidyMessages } from '../conversation/tidy-messages.js';

const PLACEHOLDER: readonly Message[] = [userText('.')];

/** A conversation without messages cannot be counted: one is added, and its cost is subtracted again. */
export const countRequest = async (
  request: ModelRequest,
  count: (request: ModelRequest) => Promise<number>,
): Promise<number> => {
  if (tidyMessages(request.messages).length > 0) return count(request);
  const both = await count({ ...request, messages: PLACEHOLDER });
  return both - (await count({ model: request.model, messages: PLACEHOLDER }));
};
