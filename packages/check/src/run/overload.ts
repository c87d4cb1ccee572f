import type { Family } from '../model/family.js';
import type { Exchange } from '../session/exchange.js';

const OVERLOADED = /^HTTP (?<status>429|502|503|504)\b/u;
const LIMITED = /"message":\s*"[^"]{0,200}(?:rate.?limit|too many requests)/iu;
const EXPIRED = /^HTTP 401\b/u;

/**
 * What an exchange says of the state of the server, or of a gateway before it, and not of a rule: too many requests, nothing
 * behind the gateway, or a token that is good no longer. Undefined when it is about the request.
 */
export const overloadIn = (exchange: Pick<Exchange, 'received'> | undefined, family: Family): string | undefined => {
  const received = exchange?.received ?? '';
  const status = OVERLOADED.exec(received)?.groups?.['status'];
  if (status !== undefined) return `HTTP ${status}`;
  if (LIMITED.test(received)) return 'an error about too many requests';
  return family !== 'authorization' && EXPIRED.test(received)
    ? 'HTTP 401, although it accepted the token before'
    : undefined;
};
