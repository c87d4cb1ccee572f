import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { collectBytes } from '@plugboard/base';
import { DocumentError } from '../document-error.js';
import type { LoadedSource } from './loaded-source.js';
import { checkUrl, policyLookup, type UrlPolicy } from './url-policy.js';

const MAX_REDIRECTS = 5;

export interface FetchOptions {
  readonly policy: UrlPolicy;
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

const failed = (why: string): DocumentError => new DocumentError('URL_FAILED', `The URL cannot be fetched: ${why}.`);

const ask = (url: URL, policy: UrlPolicy, signal: AbortSignal): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
      lookup: policyLookup(policy),
      signal,
      agent: false,
      headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'plugboard-documents' },
    });
    request.once('response', resolve);
    request.once('error', reject);
    request.end();
  });

const bodyOf = async (response: IncomingMessage, maxBytes: number): Promise<Uint8Array> => {
  const tooLarge = (): DocumentError =>
    new DocumentError('TOO_LARGE', `The document is larger than ${maxBytes} bytes.`);
  if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
  if ((response.headers['content-encoding'] ?? 'identity') !== 'identity') throw failed('it comes compressed');
  return new Uint8Array(await collectBytes(response, { maxBytes, tooLarge }));
};

const nameOf = ({ pathname }: URL): string => {
  const last = pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
};

const follow = async (start: URL, { policy, maxBytes }: FetchOptions, signal: AbortSignal): Promise<LoadedSource> => {
  let url = start;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const response = await ask(url, policy, signal);
    try {
      const { statusCode: status = 0, headers } = response;
      if (status >= 300 && status < 400 && headers.location !== undefined) {
        url = checkUrl(headers.location, policy, url);
        continue;
      }
      if (status < 200 || status > 299) throw failed(`it answered with ${status}`);
      const bytes = await bodyOf(response, maxBytes);
      return { bytes, hints: { fileName: nameOf(url), mediaType: headers['content-type'] } };
    } finally {
      response.destroy();
    }
  }
  throw failed('it redirects too often');
};

/** Fetches a document as the policy allows: every redirect is judged like the first address. */
export const fetchUrl = async (text: string, options: FetchOptions): Promise<LoadedSource> => {
  const deadline = AbortSignal.timeout(options.timeoutMs);
  try {
    return await follow(checkUrl(text, options.policy), options, AbortSignal.any([options.signal, deadline]));
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    if (options.signal.aborted) throw new DocumentError('CANCELLED', 'The conversion was cancelled.');
    if (deadline.aborted) throw new DocumentError('TIMED_OUT', 'The URL did not answer in time.');
    throw failed('the connection failed');
  }
};
