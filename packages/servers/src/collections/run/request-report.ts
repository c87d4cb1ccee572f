import type { ConsoleLine } from '../../sandbox/isolate/isolate-job.js';
import {
  asCollectionError,
  COLLECTION_ERRORS,
  CollectionError,
  type CollectionErrorCode,
} from '../collections-error.js';
import type { KeyValue } from '../../send/outgoing-request.js';
import type { Assertion } from '../script/script-report.js';
import type { ScriptRequest } from './script-host.js';

export interface ReportedAnswer {
  readonly status: number;
  readonly statusText: string;
  readonly timeMs: number;
  readonly bytes: number;
  readonly redirects: number;
  readonly headers: readonly KeyValue[];
  readonly body: string;
}

export interface ReportedError {
  readonly code: CollectionErrorCode;
  readonly message: string;
  readonly hint: string;
}

/** What became of one request. */
export interface RequestReport {
  readonly id: string;
  readonly iteration: number;
  readonly method: string;
  readonly url: string;
  /** failed: an assertion failed; error: it or a script could not be carried out; skipped: a script said so. */
  readonly outcome: 'passed' | 'failed' | 'error' | 'skipped';
  readonly answer?: ReportedAnswer;
  readonly assertions: readonly Assertion[];
  readonly console: readonly ConsoleLine[];
  /** What scripts sent with `pm.sendRequest`. */
  readonly scriptRequests: readonly ScriptRequest[];
  readonly error?: ReportedError;
}

export const reportedError = (thrown: unknown): ReportedError => {
  const error = asCollectionError(thrown);
  if (!(error instanceof CollectionError)) throw error;
  return { code: error.code, message: error.message, hint: COLLECTION_ERRORS[error.code].hint };
};

const MASK = '•••';

/** Secrets that authentication brought in are not repeated. */
export const masked = (text: string, secrets: readonly string[]): string =>
  secrets.filter((secret) => secret.length > 2).reduce((shown, secret) => shown.replaceAll(secret, MASK), text);
