import { timedWork } from '@plugboard/contract';
import { type Classified, parseMessages } from '@plugboard/wire';

/** The messages in a text that a server sent. */
export const messagesFrom = (server: string, text: string): readonly Classified[] =>
  timedWork(
    () => `reading ${text.length} characters from ${server}`,
    () => parseMessages(text),
  );
