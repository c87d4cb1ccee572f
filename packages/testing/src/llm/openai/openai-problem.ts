import type { RefusalFacts } from '../script/refusal.js';
import { jsonReply, type WholeReply } from '../wire/reply.js';

const USUAL: Readonly<Record<number, { readonly type: string; readonly code: string | null }>> = {
  400: { type: 'invalid_request_error', code: null },
  401: { type: 'invalid_request_error', code: 'invalid_api_key' },
  402: { type: 'insufficient_quota', code: 'insufficient_quota' },
  403: { type: 'invalid_request_error', code: 'unsupported_country_region_territory' },
  404: { type: 'invalid_request_error', code: 'model_not_found' },
  429: { type: 'requests', code: 'rate_limit_exceeded' },
  503: { type: 'service_unavailable_error', code: null },
};

/** An error in OpenAI's envelope. */
export const openaiProblem = ({ status, message, type, code, param, headers }: RefusalFacts): WholeReply => {
  const usual = USUAL[status] ?? { type: status >= 500 ? 'server_error' : 'invalid_request_error', code: null };
  const error = { message, type: type ?? usual.type, param: param ?? null, code: code ?? usual.code };
  return jsonReply({ error }, status, { 'x-request-id': 'req_double', ...headers });
};
