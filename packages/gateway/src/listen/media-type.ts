import type { IncomingMessage } from 'node:http';
import { declaresJson, PlugboardError } from '@plugboard/contract';

/** Why the body of a request is not read: it is not declared as JSON. Undefined when it is. */
export const mediaTypeError = ({ headers }: IncomingMessage): PlugboardError | undefined => {
  const declared = headers['content-type'];
  if (declaresJson(declared)) return undefined;
  const found =
    declared === undefined ? 'has no Content-Type' : `is declared as ${JSON.stringify(declared.slice(0, 80))}`;
  return new PlugboardError('UNSUPPORTED_MEDIA_TYPE', `The body ${found}; messages are JSON in UTF-8.`, {
    hint: 'Send Content-Type: application/json.',
  });
};
