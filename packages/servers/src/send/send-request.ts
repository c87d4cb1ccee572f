import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { abortable, anySignal, collectBytes } from '@plugboard/base';
import { SendError } from './send-error.js';
import type { CookieJar } from './cookie-jar.js';
import type { Answer, KeyValue, OutgoingRequest } from './outgoing-request.js';

/** Where requests may go. */
export interface Destinations {
  /** The addresses to connect to, or an error. They are not resolved again: the name may change a moment later. */
  addressesFor(url: URL): Promise<readonly string[]>;
}

export interface SendOptions {
  readonly policy: Destinations;
  /** Without a jar, cookies are neither sent nor kept. */
  readonly cookies?: CookieJar | undefined;
  readonly maxBodyBytes: number;
  readonly followRedirects?: boolean;
  readonly timeMs: number;
  readonly signal?: AbortSignal | undefined;
}

export type SendRequest = (outgoing: OutgoingRequest, options: SendOptions) => Promise<Answer>;

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Ours to decide: how the connection is used, and that nothing comes compressed. */
const HOP = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
  'upgrade',
  'expect',
]);
const PERSONAL = new Set(['authorization', 'cookie', 'proxy-authorization']);

/** Sends a request and follows redirects. The policy judges each address before anything is sent there. */
export const sendRequest: SendRequest = async (outgoing, options) => {
  const started = performance.now();
  const deadline = AbortSignal.timeout(options.timeMs);
  const signal = anySignal(options.signal, deadline);
  let current = outgoing;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const failure = (error: unknown): unknown =>
      failureOf(error, { cancelled: options.signal?.aborted === true, late: deadline.aborted });
    const addresses = await abortable(options.policy.addressesFor(current.url), signal, failure);
    const answer = await exchange(current, addresses, { ...options, signal }).catch((error: unknown) => {
      throw failure(error);
    });
    const next = options.followRedirects === false ? undefined : redirectOf(current, answer);
    if (next === undefined) return { ...answer, timeMs: Math.round(performance.now() - started), redirects };
    current = next;
  }
  throw new SendError('TOO_MANY_REDIRECTS');
};

type BareAnswer = Omit<Answer, 'timeMs' | 'redirects'>;

const exchange = async (
  outgoing: OutgoingRequest,
  addresses: readonly string[],
  { cookies, signal, maxBodyBytes }: SendOptions,
): Promise<BareAnswer> => {
  const { url, method, body } = outgoing;
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const request = send(url, {
    method,
    headers: headersFor(outgoing, (await cookies?.header(url)) ?? ''),
    lookup: pinned(addresses),
    agent: false,
    signal,
    maxHeaderSize: 64 * 1024,
  });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).on('error', reject);
    request.end(body);
  });
  try {
    await cookies?.keep(url, response.headers['set-cookie'] ?? []);
    if (Number(response.headers['content-length'] ?? 0) > maxBodyBytes) throw tooLarge(maxBodyBytes);
    return {
      url,
      status: response.statusCode ?? 0,
      statusText: response.statusMessage ?? '',
      headers: pairsOf(response.rawHeaders),
      body: await collectBytes(response, { maxBytes: maxBodyBytes, tooLarge }),
    };
  } finally {
    response.destroy();
  }
};

/** The connection goes to an address that was examined, even if the name has a new one by now. */
const pinned =
  (addresses: readonly string[]): LookupFunction =>
  (_host, { all }, done) => {
    const known = addresses.map((address) => ({ address, family: isIP(address) }));
    if (all === true) done(null, known);
    else done(null, known[0]?.address ?? '', known[0]?.family);
  };

const headersFor = ({ headers, body }: OutgoingRequest, cookie: string): Record<string, string> => {
  const kept = headers.filter(({ key }) => !HOP.has(key.toLowerCase()) && /^[\w!#$%&'*+.^`|~-]+$/u.test(key));
  return {
    'User-Agent': 'plugboard',
    Accept: '*/*',
    ...(cookie === '' ? {} : { Cookie: cookie }),
    ...Object.fromEntries(kept.map(({ key, value }) => [key, value.replaceAll(/[\r\n\0]/gu, ' ')])),
    'Accept-Encoding': 'identity',
    ...(body === undefined ? {} : { 'Content-Length': String(body.byteLength) }),
  };
};

const tooLarge = (maxBytes: number): SendError =>
  new SendError('SIZE_LIMIT', `The answer has more than ${maxBytes} bytes.`);

const pairsOf = (raw: readonly string[]): readonly KeyValue[] =>
  raw.flatMap((key, index) => (index % 2 === 0 ? [{ key, value: raw[index + 1] ?? '' }] : []));

const redirectOf = (from: OutgoingRequest, { status, headers }: BareAnswer): OutgoingRequest | undefined => {
  const location = headers.find(({ key }) => key.toLowerCase() === 'location')?.value;
  if (!REDIRECTS.has(status) || location === undefined) return undefined;
  if (!URL.canParse(location, from.url.href)) {
    throw new SendError('URL_INVALID', 'The server redirects to an invalid URL.');
  }
  const url = new URL(location, from.url);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new SendError('URL_INVALID');
  const asGet = status === 303 || (status < 303 && from.method === 'POST');
  // The target of a redirect is another server: it gets no credentials that were meant for the first.
  const headersKept =
    url.origin === from.url.origin ? from.headers : from.headers.filter(({ key }) => !isPersonal(key, from));
  const { body: _body, ...rest } = from;
  return asGet
    ? { ...rest, url, method: 'GET', headers: headersKept.filter(({ key }) => key.toLowerCase() !== 'content-type') }
    : { ...from, url, headers: headersKept };
};

const isPersonal = (key: string, { headers, secrets }: OutgoingRequest): boolean =>
  PERSONAL.has(key.toLowerCase()) ||
  headers.some(
    (header) => header.key === key && secrets.some((secret) => secret !== '' && header.value.includes(secret)),
  );

const failureOf = (error: unknown, { cancelled, late }: { cancelled: boolean; late: boolean }): unknown => {
  if (error instanceof SendError) return error;
  if (cancelled) return new SendError('CANCELLED');
  if (late) return new SendError('TIME_LIMIT');
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : '';
  return new SendError('CONNECTION_FAILED', `The connection to the server failed${code}.`);
};
