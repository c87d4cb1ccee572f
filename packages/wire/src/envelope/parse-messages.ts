import { classifyMessage, type Classified } from './classify-message.js';
import { beyondBounds, JSON_BOUNDS } from './json-bounds.js';

const invalid = (reason: string): readonly Classified[] => [{ kind: 'invalid', reason }];

/**
 * Text to classified messages. An array is a batch (2025-03-26); anything else gives exactly one element. What has more
 * structure than any message needs is invalid before it is built.
 */
export const parseMessages = (text: string): readonly Classified[] => {
  const beyond = beyondBounds(text);
  if (beyond !== undefined) return invalid(beyond);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return invalid('the text is not JSON');
  }
  if (!Array.isArray(value)) return [classifyMessage(value)];
  if (value.length === 0) return invalid('the batch is empty');
  if (value.length > JSON_BOUNDS.messages) return invalid(`the batch has more than ${JSON_BOUNDS.messages} messages`);
  return value.map(classifyMessage);
};
