import type { RefusalFacts } from '../script/refusal.js';
import { jsonReply, type WholeReply } from '../wire/reply.js';

const USUAL: Readonly<Record<number, string>> = {
  400: 'ValidationException',
  401: 'UnrecognizedClientException',
  402: 'ServiceQuotaExceededException',
  403: 'AccessDeniedException',
  404: 'ResourceNotFoundException',
  408: 'ModelTimeoutException',
  424: 'ModelErrorException',
  429: 'ThrottlingException',
  503: 'ServiceUnavailableException',
};

/** An error as AWS sends it: its name is in a header. */
export const bedrockProblem = ({ status, message, type, headers }: RefusalFacts): WholeReply =>
  jsonReply({ message }, status, {
    'x-amzn-requestid': 'double',
    'x-amzn-errortype': type ?? USUAL[status] ?? 'InternalServerException',
    ...headers,
  });
