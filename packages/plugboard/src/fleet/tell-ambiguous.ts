import { PlugboardError } from '@plugboard/contract';
import { type HttpExchange, type LostRequest, refuseLost } from '@plugboard/gateway';
import { pathSegments } from '../http/path-segments.js';

const ambiguous = (): PlugboardError =>
  new PlugboardError(
    'AMBIGUOUS_DELIVERY',
    'The process that serves this call ended or stopped before the response arrived. The call may have been executed.',
    { hint: 'Check whether it was, then call again if it was not.' },
  );

/** Answers a request that another process had accepted and did not answer. */
export const tellAmbiguous = (exchange: HttpExchange, lost: LostRequest): void =>
  refuseLost(exchange, pathSegments(exchange.request.url ?? '/'), ambiguous(), lost);
