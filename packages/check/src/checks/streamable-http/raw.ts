import { isLoopback } from '../instrument/address.js';
import type { Probe, RawRequest } from '../../probe/probe.js';
import type { JsonObject } from '../../connection/json.js';
import { initializeParams, requestMessage } from '../../session/envelope.js';
import { mirroredHeaders } from '../../session/http-headers.js';
import { LATEST } from '../../session/revision.js';
import type { Session } from '../../session/session.js';
import { plainMethod, properRequest } from '../instrument/control-request.js';

export const HTTP = { family: 'streamable-http', transports: ['streamable-http'] } as const;

/** The first request of the era, which needs no session, as plain HTTP. */
export const firstRequest = ({ era }: Probe): RawRequest & { readonly body: string } => {
  const session = { era, revision: LATEST[era] } as const;
  const message =
    era === 'legacy'
      ? requestMessage('first', 'initialize', initializeParams(session))
      : properRequest(session, 'first', plainMethod(era));
  return { headers: era === 'modern' ? mirroredHeaders(message) : {}, body: JSON.stringify(message) };
};

/** The headers by which a legacy request shows to which session it belongs. */
export const sessionHeaders = ({ era, sessionId, revision }: Session): Readonly<Record<string, string>> =>
  era === 'modern'
    ? {}
    : {
        'mcp-protocol-version': revision,
        ...(sessionId === undefined ? {} : { 'mcp-session-id': sessionId }),
      };

/** A message of this session as plain HTTP. */
export const posted = (session: Session, message: JsonObject): RawRequest & { readonly body: string } => ({
  headers: { ...sessionHeaders(session), ...(session.era === 'modern' ? mirroredHeaders(message) : {}) },
  body: JSON.stringify(message),
});

/** The request for the stream of messages that belong to no request. */
export const listening = (session: Session, more: Readonly<Record<string, string>> = {}): RawRequest => ({
  method: 'GET',
  headers: { ...sessionHeaders(session), accept: 'text/event-stream', 'content-type': null, ...more },
});

export const isLocal = ({ url }: Probe): boolean => url !== undefined && isLoopback(new URL(url).hostname);
