import type { RefusalFacts } from '../script/refusal.js';
import { jsonReply, type WholeReply } from '../wire/reply.js';

const USUAL: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

/** An error in Anthropic's envelope. */
export const anthropicProblem = ({ status, message, type, headers }: RefusalFacts): WholeReply => {
  const error = { type: type ?? USUAL[status] ?? 'api_error', message };
  return jsonReply({ type: 'error', error, request_id: 'req_double' }, status, {
    'request-id': 'req_double',
    ...headers,
  });
};
