import { type ErrorWords, WordedError } from '../serve/worded-error.js';
import { SendError } from '../send/send-error.js';

/** Everything that a caller can be told, by its code. */
export const COLLECTION_ERRORS = {
  COLLECTION_NOT_FOUND: { sentence: 'The collection does not exist.', hint: 'Use an id from list_collections.' },
  REQUEST_NOT_FOUND: {
    sentence: 'The collection has no such request or folder.',
    hint: 'Use an id that get_collection names.',
  },
  ENVIRONMENT_NOT_FOUND: { sentence: 'The environment does not exist.', hint: 'Use a name from list_collections.' },
  COLLECTION_INVALID: {
    sentence: 'The file is neither a Postman collection v2.1 nor an OpenAPI document 3.x.',
    hint: 'Correct the file, or export it again.',
  },
  VARIABLE_MISSING: {
    sentence: 'The request needs variables that have no value.',
    hint: 'Give them as variables, or choose an environment that has them.',
  },
  URL_INVALID: { sentence: 'The address of the request cannot be read.', hint: 'Only http and https addresses work.' },
  HOST_NOT_ALLOWED: {
    sentence: 'The server does not allow requests to this host.',
    hint: 'Only loopback addresses in the files of the collection are allowed. To allow others, start the server with --allow-target <host>.',
  },
  AUTH_NOT_SUPPORTED: {
    sentence: 'This kind of authentication is not supported.',
    hint: 'Basic, bearer and API key are; others can be sent as a header.',
  },
  BODY_FILE_INVALID: {
    sentence: 'The file of the body cannot be read.',
    hint: 'Put it into the directory of the collections and name it by its relative path.',
  },
  CONNECTION_FAILED: {
    sentence: 'The server could not be reached.',
    hint: 'Check that the server is running and listens on this address.',
  },
  TIME_LIMIT: {
    sentence: 'The response exceeded the time limit.',
    hint: 'Find out why the server is slow, or raise --request-ms.',
  },
  SIZE_LIMIT: {
    sentence: 'The request or the response exceeds the size limit.',
    hint: 'Ask for less, or raise --max-body-kb.',
  },
  TOO_MANY_REDIRECTS: { sentence: 'The server redirects too often.', hint: 'Request the final address.' },
  SCRIPT_FAILED: {
    sentence: 'A script of the collection ended with an error.',
    hint: 'Read the error. The documentation lists what scripts can do.',
  },
  RUN_LIMIT: { sentence: 'The run exceeded its time limit.', hint: 'Run a folder, or raise --run-ms.' },
  CANCELLED: { sentence: 'The run was cancelled.', hint: 'Run it again if it is still needed.' },
} as const satisfies ErrorWords<string>;

export type CollectionErrorCode = keyof typeof COLLECTION_ERRORS;

/** What the caller is told of a request that was not sent; anything unexpected stays what it is. */
export const asCollectionError = (error: unknown): unknown =>
  error instanceof SendError ? new CollectionError(error.code, error.message) : error;

export class CollectionError extends WordedError<CollectionErrorCode> {
  override readonly name = 'CollectionError';

  constructor(code: CollectionErrorCode, sentence?: string) {
    super(COLLECTION_ERRORS, code, sentence);
  }
}
