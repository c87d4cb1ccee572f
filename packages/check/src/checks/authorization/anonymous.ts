import { tryJson } from '../../connection/json.js';
import type { Probe, RawRequest } from '../../probe/probe.js';
import type { Reply } from '../../session/answer.js';
import { mirroredHeaders } from '../../session/http-headers.js';
import { initializeParams, requestMessage } from '../../session/envelope.js';
import { LATEST } from '../../session/revision.js';
import { properRequest } from '../instrument/control-request.js';

type HeaderChanges = Readonly<Record<string, string | null>>;

const CREDENTIAL = /auth|cookie|token|key|secret|session|signature/iu;

/** Takes away whatever of the operator's headers could be a credential. */
export const withoutCredentials = ({ target }: Probe): HeaderChanges =>
  Object.fromEntries(
    Object.keys(target.headers)
      .filter((name) => CREDENTIAL.test(name))
      .map((name) => [name, null]),
  );

/** The token that the operator gave for the server. */
export const operatorToken = ({ target }: Probe): string | undefined => {
  const header = Object.entries(target.headers).find(([name]) => name.toLowerCase() === 'authorization')?.[1];
  return /^Bearer\s+(\S+)$/iu.exec(header ?? '')?.[1];
};

/** The headers that a token comes with, in place of the operator's. */
export const bearer = (probe: Probe, token: string): HeaderChanges => ({
  ...withoutCredentials(probe),
  authorization: `Bearer ${token}`,
});

/** A request to somebody else than the server: nothing of what the operator gave goes there. */
export const ask = (probe: Probe, request: RawRequest): Promise<Reply> => {
  const none = Object.fromEntries(Object.keys(probe.target.headers).map((name) => [name, null]));
  return probe.http({ usual: false, method: 'GET', ...request, headers: { ...none, ...request.headers } });
};

interface FirstRequestOptions {
  readonly url?: string;
  /** The headers carry a token that belongs in no report. */
  readonly confidential?: boolean;
}

/** The first request that a client of this era makes, with these headers in place of the operator's credentials. */
export const firstRequest = async (
  probe: Probe,
  headers: HeaderChanges,
  options: FirstRequestOptions = {},
): Promise<Reply> => {
  const session = { era: probe.era, revision: LATEST[probe.era] } as const;
  const message =
    probe.era === 'legacy'
      ? requestMessage('first', 'initialize', initializeParams(session))
      : properRequest(session, 'first', 'server/discover');
  const own = options.confidential === true ? probe.target.headers : {};
  return await probe.http({
    headers: { ...own, ...mirroredHeaders(message), ...headers },
    body: JSON.stringify(message),
    ...options,
  });
};

/** Whether the server did what was asked. */
export const isServed = ({ http, messages }: Reply): boolean =>
  http !== undefined && http.status < 300 && messages.some((message) => 'result' in message);

export const statusOf = ({ http }: Reply): number => http?.status ?? 0;

export const jsonOf = ({ http }: Reply): unknown => tryJson(http?.body ?? '');
