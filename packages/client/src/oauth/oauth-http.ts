import { anySignal, collectBytes } from '@plugboard/base';
import { PlugboardError } from '@plugboard/contract';
import { OAuthFailure } from './oauth-failure.js';

/** The request that a step sends; any fetch fits, so that a caller can add its own address policy or proxy. */
export type OAuthFetch = (url: string, init: OAuthRequest) => Promise<Response>;

export interface OAuthRequest {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string | URLSearchParams;
  readonly redirect: 'manual';
  readonly signal: AbortSignal;
}

export interface OAuthHttp {
  readonly fetch: OAuthFetch;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** How long one request may take. */
  readonly timeoutMs?: number | undefined;
}

const DEFAULT_TIMEOUT_MS = 15_000;
const MAX_BYTES = 1024 * 1024;
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

const readBounded = async ({ body }: Response, host: string): Promise<string> => {
  const tooLarge = (bytes: number): OAuthFailure =>
    new OAuthFailure('rejected', `${host} sent more than ${bytes} bytes.`);
  return (await collectBytes(body, { maxBytes: MAX_BYTES, tooLarge })).toString('utf8');
};

const unreachable = (host: string, cause: unknown): OAuthFailure =>
  new OAuthFailure('transient', `${host} cannot be reached to authorize requests.`, {
    hint: 'Try again. If it keeps failing, check that the authorization server is running and reachable.',
    details: { host },
    cause,
  });

/** An address policy may refuse the host, before the connection or in the middle of it. */
const refusalIn = (thrown: unknown): PlugboardError | undefined => {
  if (thrown instanceof PlugboardError) return thrown;
  return thrown instanceof Error && thrown.cause instanceof PlugboardError ? thrown.cause : undefined;
};

/** Sends one request. The answer is read whole, within a bound and a deadline; no redirect is followed. */
export const sendOnce = async (
  http: OAuthHttp,
  url: string,
  request: Omit<OAuthRequest, 'redirect'>,
): Promise<Response> => {
  const { host } = new URL(url);
  const deadline = AbortSignal.timeout(http.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  const signal = anySignal(request.signal, deadline);
  try {
    const response = await http.fetch(url, { ...request, redirect: 'manual', signal });
    const text = await readBounded(response, host);
    const { status, headers } = response;
    return new Response(WITHOUT_BODY.has(status) ? null : text, { status, headers });
  } catch (thrown) {
    const refused = refusalIn(thrown);
    if (refused !== undefined) throw refused;
    request.signal.throwIfAborted();
    throw unreachable(host, thrown);
  }
};
