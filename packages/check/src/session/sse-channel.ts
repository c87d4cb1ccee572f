import { openHttpExchange, type HttpSettings } from '../connection/http-exchange.js';
import { messagesIn, type JsonObject } from '../connection/json.js';
import { Mailbox } from '../connection/mailbox.js';
import { isIdle } from '../connection/sse-parser.js';
import { NoAnswer, Unreachable } from '../connection/no-answer.js';
import type { Channel } from './channel.js';
import { BASE_HEADERS, changedHeaders } from './http-headers.js';
import type { Link } from './link.js';

export const httpSettings = (link: Link, deadlineMs = link.budgets.requestMs): HttpSettings => ({
  transcript: link.transcript,
  signal: link.signal,
  deadlineMs,
  network: link.network,
});

/** HTTP+SSE of 2024-11-05: a stream that names the address to post to. */
export const sseChannel = async (link: Link): Promise<Channel & { readonly endpoint: string }> => {
  const { place } = link;
  if (place.transport === 'stdio') throw new Unreachable('The target is not a URL.');
  const settings = httpSettings(link);
  const stream = await openHttpExchange(
    { method: 'GET', url: place.url, headers: { accept: 'text/event-stream', ...place.headers } },
    settings,
  );
  const deadline = { ms: link.budgets.requestMs, what: 'endpoint event', signal: link.signal };
  const first = stream.isStream
    ? await stream.events.until((event) => (isIdle(event) ? undefined : event), 0, deadline).catch(() => undefined)
    : undefined;
  if (first?.event !== 'endpoint') {
    stream.close();
    throw new NoAnswer(
      `GET ${place.url} did not begin with an endpoint event (HTTP ${stream.status}).`,
      `GET ${place.url}`,
      stream.received,
    );
  }
  const endpoint = new URL(first.data, place.url).href;
  // Another origin must not get the secrets of the target.
  const own = new URL(endpoint).origin === new URL(place.url).origin ? place.headers : {};
  const inbox = new Mailbox<JsonObject>();
  stream.events.subscribe(
    (event) => {
      if (event !== first) for (const message of messagesIn(event.data)) inbox.put(message);
    },
    (why) => inbox.end(why),
  );
  return {
    transport: 'sse',
    endpoint,
    connection: stream.connection,
    inbox,
    textSince: (position, isForeign = () => false) =>
      inbox.items
        .slice(position)
        .filter((item) => !isForeign(item))
        .map((item) => JSON.stringify(item))
        .join('\n'),
    post: async (text, headers) => {
      const posted = await openHttpExchange(
        {
          method: 'POST',
          url: endpoint,
          headers: changedHeaders({ ...BASE_HEADERS, ...own }, headers),
          body: text,
        },
        settings,
      );
      const body = await posted.text();
      return { status: posted.status, headers: posted.headers, body };
    },
    recipe: (lines) => ({ kind: 'sse', lines }),
    close: async () => stream.close(),
  };
};
