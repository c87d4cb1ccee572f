import { show } from '../../connection/json.js';
import { NoAnswer } from '../../connection/no-answer.js';
import { defineCheck } from '../../model/check.js';
import { broken, doubtful, holds } from '../../model/finding.js';
import { spec } from '../instrument/spec.js';
import {
  isAccepted,
  NOTHING_ACCEPTED,
  openStream,
  postInitialize,
  refusedStream,
  responseEvent,
  SSE,
} from './stream.js';

const PAGE = 'basic/transports#http-with-sse';

export const endpointEvent = defineCheck({
  ...SSE,
  id: 'SSE-01',
  title: 'the stream begins with an endpoint event that contains a URI',
  level: 'MUST',
  tier: 'smoke',
  source: spec(
    '2024-11-05',
    PAGE,
    'When a client connects, the server MUST send an endpoint event containing a URI for the client to use for sending messages.',
  ),
  remedy: 'Send an endpoint event with the URL for POST as the first event of the stream.',
  async run(probe) {
    const stream = await openStream(probe);
    const refused = refusedStream(stream);
    if (refused !== undefined) return refused;
    const { http, first, endpoint, exchange } = stream;
    const expected = 'text/event-stream whose first event is endpoint, with a URI';
    if (!http.isStream) {
      return broken({ detail: `GET came back with HTTP ${http.status}, no stream.`, expected, exchange });
    }
    if (first?.event !== 'endpoint') {
      return broken({ detail: `The first event is ${first?.event ?? 'missing'}.`, expected, exchange });
    }
    if (endpoint === undefined || first.data.trim() === '') {
      return broken({ detail: `The endpoint is "${show(first.data)}".`, expected, exchange });
    }
    return holds(first.data);
  },
});

export const sameOrigin = defineCheck({
  ...SSE,
  id: 'SSE-02',
  title: 'the endpoint has the same origin as the stream',
  level: 'ADVICE',
  tier: 'standard',
  source: spec(
    '2024-11-05',
    PAGE,
    'All subsequent client messages MUST be sent as HTTP POST requests to this endpoint.',
  ),
  remedy: 'Send a relative URL in the endpoint event: clients do not send credentials to another origin.',
  async run(probe) {
    const { endpoint, exchange } = await openStream(probe);
    const origin = new URL(probe.url ?? 'http://localhost').origin;
    if (endpoint?.origin === origin) return holds();
    const detail = `The endpoint is at ${endpoint?.origin ?? 'no origin'}.`;
    return broken({ detail, expected: origin, exchange });
  },
});

export const messageEvents = defineCheck({
  ...SSE,
  id: 'SSE-03',
  inSequence: true,
  title: 'a posted message is accepted, and its answer arrives as a message event',
  level: 'MUST',
  tier: 'smoke',
  source: spec(
    '2024-11-05',
    PAGE,
    'Server messages are sent as SSE message events, with the message content encoded as JSON in the event data.',
  ),
  remedy: 'Answer the POST with 202 and write the response to the stream as event: message.',
  async run(probe) {
    const stream = await openStream(probe);
    const refused = refusedStream(stream);
    if (refused !== undefined) return refused;
    if (stream.endpoint === undefined) {
      return broken({ detail: 'No endpoint was named.', expected: 'an endpoint event', exchange: stream.exchange });
    }
    const { http, exchange } = await postInitialize(probe, stream.endpoint, 'posted');
    const status = http?.status ?? 0;
    // The messages of the run are accepted, so the refusal is about a second client.
    if (!isAccepted({ http })) return NOTHING_ACCEPTED;
    const answer = await responseEvent(probe, stream, 'posted');
    const expected = 'a message event with the response';
    if (answer === undefined) return broken({ detail: 'No answer arrived on the stream.', expected, exchange });
    if (answer.event.event !== 'message') {
      return broken({ detail: `The answer arrived as an event "${answer.event.event}".`, expected, exchange });
    }
    if (status === 202) return holds();
    return doubtful({ detail: `The POST came back with HTTP ${status}.`, expected: 'HTTP 202', exchange });
  },
});

export const unknownSession = defineCheck({
  ...SSE,
  id: 'SSE-04',
  title: 'a message to an unknown session is rejected',
  level: 'ADVICE',
  tier: 'standard',
  source: spec('2024-11-05', PAGE, 'A regular HTTP POST endpoint for clients to send messages to the server'),
  remedy: 'Answer a POST that belongs to no open stream with 404.',
  async run(probe) {
    const { endpoint, exchange } = await openStream(probe);
    if (endpoint === undefined || endpoint.search === '') return holds('The URL contains no session.');
    const other = new URL(endpoint.href);
    for (const name of endpoint.searchParams.keys()) {
      other.searchParams.set(name, '00000000-0000-4000-8000-000000000000');
    }
    // The control: the session that exists accepts the same message.
    if (!isAccepted(await postInitialize(probe, endpoint, 'own'))) return NOTHING_ACCEPTED;
    const reply = await postInitialize(probe, other, 'stranger').catch((error: unknown) => {
      if (error instanceof NoAnswer) return error;
      throw error;
    });
    if (reply instanceof NoAnswer) {
      const unanswered = { ...exchange, sent: `POST ${other.href}`, received: '' };
      const detail = `The POST was not answered: ${reply.message}`;
      return broken({ detail, expected: 'HTTP 404', exchange: unanswered });
    }
    const status = reply.http?.status ?? 0;
    if (status >= 400 && status < 500) return holds();
    const detail = `It came back with HTTP ${status}.`;
    return broken({ detail, expected: 'HTTP 404', exchange: reply.exchange ?? exchange });
  },
});
