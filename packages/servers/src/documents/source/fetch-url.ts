import { SendError } from '../../send/send-error.js';
import { sendRequest } from '../../send/send-request.js';
import { DocumentError } from '../document-error.js';
import type { LoadedSource } from './loaded-source.js';
import { allowedAddresses, checkUrl, urlRefused, type UrlPolicy } from './url-policy.js';

export interface FetchOptions {
  readonly policy: UrlPolicy;
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

const failed = (why: string): DocumentError => new DocumentError('URL_FAILED', `The URL cannot be fetched: ${why}.`);

const asDocumentError = (error: SendError, maxBytes: number): DocumentError => {
  switch (error.code) {
    case 'URL_INVALID':
    case 'HOST_NOT_ALLOWED':
      return urlRefused('it redirects to an address that is not an http or https URL');
    case 'SIZE_LIMIT':
      return new DocumentError('TOO_LARGE', `The document is larger than ${maxBytes} bytes.`);
    case 'TIME_LIMIT':
      return new DocumentError('TIMED_OUT', 'The URL did not respond in time.');
    case 'CANCELLED':
      return new DocumentError('CANCELLED', 'The conversion was cancelled.');
    case 'TOO_MANY_REDIRECTS':
      return failed('it redirects too often');
    case 'CONNECTION_FAILED':
      return failed('the connection failed');
  }
};

const nameOf = ({ pathname }: URL): string => {
  const last = pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
};

/** Fetches a document as the policy allows: every redirect is judged like the first address. */
export const fetchUrl = async (text: string, options: FetchOptions): Promise<LoadedSource> => {
  const { policy, maxBytes, timeoutMs, signal } = options;
  const url = checkUrl(text, policy);
  const { status, headers, body, ...answer } = await sendRequest(
    { method: 'GET', url, headers: [{ key: 'User-Agent', value: 'plugboard-documents' }], secrets: [] },
    {
      policy: { addressesFor: (at) => allowedAddresses(at, policy) },
      maxBodyBytes: maxBytes,
      timeMs: timeoutMs,
      signal,
    },
  ).catch((error: unknown) => {
    throw error instanceof SendError ? asDocumentError(error, maxBytes) : error;
  });
  const field = (name: string): string | undefined => headers.find(({ key }) => key.toLowerCase() === name)?.value;
  if (status < 200 || status > 299) throw failed(`it answered with ${status}`);
  if ((field('content-encoding') ?? 'identity') !== 'identity') throw failed('the response is compressed');
  return { bytes: new Uint8Array(body), hints: { fileName: nameOf(answer.url), mediaType: field('content-type') } };
};
