import { isJsonObject, type JsonObject, tryJson } from '@plugboard/base';
import type { OAuthFailureKind } from '@plugboard/contract';
import { textMember } from './metadata-field.js';
import { OAuthFailure } from './oauth-failure.js';

export interface AnswerContext {
  /** What was asked, as in "could not …". */
  readonly what: string;
  readonly issuer: string;
  /** What was sent and must not come back in an error. */
  readonly secrets: readonly string[];
}

const MAX_WORDS = 200;

const kindOf = (status: number, error: string | undefined): OAuthFailureKind => {
  if (status >= 500 || status === 429 || status === 408) return 'transient';
  switch (error) {
    case 'invalid_grant':
      return 'invalid-grant';
    case 'invalid_client':
    case 'unauthorized_client':
      return 'invalid-client';
    case 'server_error':
    case 'temporarily_unavailable':
    case 'slow_down':
      return 'transient';
    default:
      return 'refused';
  }
};

const HINTS: Readonly<Record<OAuthFailureKind, string>> = {
  transient: 'The authorization server failed. Try again later.',
  'invalid-grant': 'The login expired or was revoked. Log in again.',
  'invalid-client':
    'The authorization server does not know this client: check client_id, client_secret and how they are sent.',
  refused: 'The authorization server refused; check the "oauth" settings of the server.',
  unsupported: 'The authorization server does not support this.',
  rejected: 'The response of the authorization server is invalid.',
};

/** Text of the authorization server: printable, short, and without secrets that we sent. */
export const quotable = (text: string, secrets: readonly string[]): string => {
  const clean = secrets
    .filter((secret) => secret.length >= 4)
    .reduce((words, secret) => words.replaceAll(secret, '•••'), text);
  return clean
    .replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, ' ')
    .slice(0, MAX_WORDS)
    .trim();
};

/** The JSON of a successful answer (200 and 201 alike); everything else becomes an error that says what it means. */
export const readAnswer = async (response: Response, context: AnswerContext): Promise<JsonObject> => {
  const value = tryJson(await response.text());
  const answer = isJsonObject(value) ? value : undefined;
  const error = answer === undefined ? undefined : textMember(answer, 'error');
  // Some servers report errors with status 200.
  if (response.ok && answer !== undefined && error === undefined) return answer;
  const kind = response.ok && error === undefined ? 'rejected' : kindOf(response.status, error);
  const description = answer === undefined ? undefined : textMember(answer, 'error_description');
  const said = [error, description]
    .flatMap((words) => (words === undefined ? [] : [quotable(words, context.secrets)]))
    .join(': ');
  throw new OAuthFailure(
    kind,
    `The authorization server did not ${context.what} (HTTP status ${response.status}${said === '' ? '' : `, ${said}`}).`,
    {
      hint: HINTS[kind],
      details: { http_status: response.status, issuer: context.issuer },
      ...(error === undefined ? {} : { oauthError: quotable(error, context.secrets) }),
    },
  );
};
