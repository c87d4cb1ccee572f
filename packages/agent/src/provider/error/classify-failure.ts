import type { ModelFailure } from './model-error.js';

/** What is known of a refusal, whichever provider sent it. */
export interface RefusalFacts {
  readonly status?: number | undefined;
  /** Message, code and type together: providers put the reason in any of them. */
  readonly text: string;
}

const CONTEXT =
  /prompt is too long|exceeds? context|total text bytes|request_too_large|request exceeds the maximum size|context_length_exceeded|maximum context length|input is too long|context window/iu;
const CREDITS =
  /insufficient[ _](?:credit|quota|fund|balance)|exceeded your current quota|billing hard limit|can only afford|credit balance is too low|budget (?:has been )?exceeded|out of credits/iu;
/** The words of Bedrock, then those of S3. */
const SIGNATURE =
  /UnrecognizedClient|InvalidSignature|ExpiredToken|IncompleteSignature|MissingAuthenticationToken|SignatureDoesNotMatch|InvalidAccessKeyId/u;
const UNKNOWN_MODEL = /model identifier is invalid|model_not_found/iu;
const OVERLOADED = /overloaded/iu;
const THROTTLED = /throttl|too many requests|rate.?limit/iu;

const BY_STATUS: Readonly<Record<number, ModelFailure>> = {
  401: 'authentication',
  403: 'permission',
  404: 'not-found',
  408: 'timeout',
  413: 'context-window',
  429: 'rate-limit',
  503: 'overloaded',
  504: 'timeout',
  529: 'overloaded',
};

const byStatus = (status: number, text: string): ModelFailure => {
  const known = BY_STATUS[status];
  if (known !== undefined) return known;
  if (status < 500) return 'bad-request';
  return OVERLOADED.test(text) ? 'overloaded' : 'server';
};

/** Errors inside a stream have no status. */
const byText = (text: string): ModelFailure => {
  if (OVERLOADED.test(text)) return 'overloaded';
  if (THROTTLED.test(text)) return 'rate-limit';
  return /invalid_request|validation/iu.test(text) ? 'bad-request' : 'server';
};

/** The one table of what a refusal means. The first rule that holds decides. */
export const classifyFailure = ({ status, text }: RefusalFacts): ModelFailure => {
  if (status !== 429 && CONTEXT.test(text)) return 'context-window';
  if (status === 402 || CREDITS.test(text)) return 'credits';
  if (SIGNATURE.test(text)) return 'authentication';
  if (status === 400 && UNKNOWN_MODEL.test(text)) return 'not-found';
  return status === undefined ? byText(text) : byStatus(status, text);
};
