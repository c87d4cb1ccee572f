import { classifyMessage, type Classified } from './classify-message.js';

/** Text to classified messages. An array is a batch (2025-03-26); anything else gives exactly one element. */
export const parseMessages = (text: string): readonly Classified[] => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [{ kind: 'invalid', reason: 'the text is not JSON' }];
  }
  if (!Array.isArray(value)) {
    return [classifyMessage(value)];
  }
  return value.length === 0 ? [{ kind: 'invalid', reason: 'the batch is empty' }] : value.map(classifyMessage);
};
