/** Why a request was not sent, or its answer not taken. */
export type SendErrorCode =
  | 'URL_INVALID'
  | 'HOST_NOT_ALLOWED'
  | 'CONNECTION_FAILED'
  | 'TIME_LIMIT'
  | 'SIZE_LIMIT'
  | 'TOO_MANY_REDIRECTS'
  | 'CANCELLED';

const SENTENCES: Readonly<Record<SendErrorCode, string>> = {
  URL_INVALID: 'The address of the request cannot be read.',
  HOST_NOT_ALLOWED: 'The server does not allow requests to this host.',
  CONNECTION_FAILED: 'The server could not be reached.',
  TIME_LIMIT: 'The response exceeded the time limit.',
  SIZE_LIMIT: 'The response exceeds the size limit.',
  TOO_MANY_REDIRECTS: 'The server redirects too often.',
  CANCELLED: 'The request was cancelled.',
};

export class SendError extends Error {
  override readonly name = 'SendError';
  readonly code: SendErrorCode;

  constructor(code: SendErrorCode, sentence: string = SENTENCES[code]) {
    super(sentence);
    this.code = code;
  }
}
