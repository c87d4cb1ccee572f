import type { CheckEra } from '@plugboard/contract';
import { at } from '../../connection/json.js';
import { NoAnswer } from '../../connection/no-answer.js';
import { enveloped, initializeParams, requestMessage } from '../../session/envelope.js';
import { LATEST } from '../../session/revision.js';
import type { Arrival, Sent } from './load-line.js';

export const INITIALIZED = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });

/** The first request of a conversation in this era; ids of calls begin after it. */
export const openingOf = (era: CheckEra, headers: Sent['headers']): Sent => {
  const session = { era, revision: LATEST[era] };
  const message =
    era === 'modern'
      ? requestMessage(0, 'server/discover', enveloped(undefined, session, {}))
      : requestMessage(0, 'initialize', initializeParams(session));
  return { id: 0, text: JSON.stringify(message), headers };
};

/** The revision that a conversation goes on with. */
export const agreedRevision = (era: CheckEra, opening: Arrival): string => {
  if (opening.kind === 'failure') throw new NoAnswer(`The handshake failed: ${opening.error}.`);
  const result = at(opening.message, 'result');
  if (result === undefined) {
    throw new NoAnswer(`The handshake was refused: ${String(at(opening.message, 'error', 'message'))}`);
  }
  const agreed = at(result, 'protocolVersion');
  return era === 'legacy' && typeof agreed === 'string' ? agreed : LATEST[era];
};
