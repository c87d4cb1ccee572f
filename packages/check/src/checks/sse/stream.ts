import type { HttpExchange } from '../../connection/http-exchange.js';
import type { JsonObject } from '../../connection/json.js';
import { isObject, tryJson } from '../../connection/json.js';
import { isIdle, type SseEvent } from '../../connection/sse-parser.js';
import { notVerified, type Finding } from '../../model/finding.js';
import type { Probe } from '../../probe/probe.js';
import type { Reply } from '../../session/answer.js';
import { initializeParams, requestMessage } from '../../session/envelope.js';
import type { Exchange } from '../../session/exchange.js';
import { LATEST } from '../../session/revision.js';

export const SSE = { family: 'sse', eras: ['legacy'], transports: ['sse'] } as const;

/** A stream of HTTP+SSE, opened by hand. */
export interface EventStream {
  readonly http: HttpExchange;
  readonly first: SseEvent | undefined;
  /** Where messages go; undefined when the first event does not say it. */
  readonly endpoint: URL | undefined;
  readonly exchange: Exchange;
}

/** As the EventSource of a browser asks. */
const GET = { accept: 'text/event-stream', 'cache-control': 'no-cache', 'content-type': null } as const;

export const openStream = async (
  probe: Probe,
  headers: Readonly<Record<string, string>> = {},
): Promise<EventStream> => {
  const http = await probe.stream({ method: 'GET', headers: { ...GET, ...headers } });
  const deadline = { ms: probe.target.budgets.requestMs, what: 'first event', signal: probe.signal };
  const first = http.isStream
    ? await http.events.until((event) => (isIdle(event) ? undefined : event), 0, deadline).catch(() => undefined)
    : undefined;
  const named = first?.event === 'endpoint' && URL.canParse(first.data, probe.url);
  return {
    http,
    first,
    endpoint: named ? new URL(first.data, probe.url) : undefined,
    exchange: {
      sent: `GET ${probe.url ?? ''}`,
      received: `HTTP ${http.status}\n${http.received}`.slice(0, 8_192),
      connection: http.connection,
      recipe: undefined,
    },
  };
};

/** The initialize request with this id, sent to an address. */
export const postInitialize = async (
  probe: Probe,
  url: URL,
  id: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> => {
  const message = requestMessage(id, 'initialize', initializeParams({ era: 'legacy', revision: LATEST.legacy }));
  return await probe.http({ url: url.href, headers, body: JSON.stringify(message) });
};

/** Whether a message that was posted is accepted. */
export const isAccepted = ({ http }: Pick<Reply, 'http'>): boolean =>
  http !== undefined && http.status >= 200 && http.status <= 299;

/** A server that refuses the proper message as well says nothing about the improper one. */
export const NOTHING_ACCEPTED = notVerified(
  'The server also rejects a valid message to the endpoint that it named.',
  'a server that accepts messages from a second client',
);

/** The run itself has a stream: that the server opens no second one shows only that it serves no second client. */
export const refusedStream = ({ http }: EventStream): Finding | undefined =>
  http.status < 400
    ? undefined
    : notVerified(`A second stream is refused with HTTP ${http.status}.`, 'a server that serves several clients');

/** The event that carries the response to this id, if it comes in time. */
export const responseEvent = async (
  probe: Probe,
  { http }: EventStream,
  id: string,
): Promise<{ readonly event: SseEvent; readonly message: JsonObject } | undefined> => {
  const deadline = { ms: probe.target.budgets.requestMs, what: 'answer on the stream', signal: probe.signal };
  const pick = (event: SseEvent) => {
    const message = tryJson(event.data);
    return isObject(message) && message['id'] === id ? { event, message } : undefined;
  };
  return await http.events.until(pick, 0, deadline).catch(() => undefined);
};
