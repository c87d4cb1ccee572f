import { isObject, show, tryJson } from '../../connection/json.js';
import { BOTH_ERAS, defineCheck } from '../../model/check.js';
import { broken, doubtful, holds, notApplicable } from '../../model/finding.js';
import { spec } from '../instrument/spec.js';
import { HTTP } from './raw.js';
import { streamedAnswer } from './streamed.js';

const NO_STREAM = notApplicable('No request that may be sent is answered with a stream.');
const END_MS = 2_000;

export const streamSyntax = defineCheck({
  ...HTTP,
  id: 'HTP-21',
  title: 'a stream consists of well-formed events with messages',
  eras: BOTH_ERAS,
  level: 'MUST',
  tier: 'standard',
  source: {
    sentence: 'If the line is empty (a blank line) Dispatch the event',
    url: 'https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation',
  },
  remedy: 'Write each message as data: lines of JSON followed by an empty line. Apart from that, send only comments.',
  async run(probe) {
    const streamed = await streamedAnswer(probe, await probe.open());
    if (streamed === undefined) return NO_STREAM;
    const { http, events, exchange } = streamed;
    const expected = 'events whose data is a JSON-RPC message, each ended by an empty line';
    const bad = events.filter(({ data }) => data !== '' && !isObject(tryJson(data)));
    const broke = bad.find(({ event }) => event === 'message');
    if (broke !== undefined) return broken({ detail: `An event carries "${show(broke.data)}".`, expected, exchange });
    await http.endsWithin(Math.min(END_MS, probe.target.budgets.requestMs));
    if (!/(?:\n\n|\r\r|\r\n\r\n)$/u.test(http.received)) {
      return broken({ detail: 'The last event is not ended by an empty line.', expected, exchange });
    }
    const [other] = bad;
    if (other !== undefined) {
      // Clients read events of the type message, and pass over others.
      const detail = `An event of the type ${show(other.event)} carries "${show(other.data)}".`;
      return doubtful({ detail, expected, exchange });
    }
    const strange = events.flatMap((event) => event.strange)[0];
    if (strange !== undefined) return doubtful({ detail: `A line is "${show(strange)}".`, expected, exchange });
    return holds(`${events.length} events`);
  },
});

export const streamHeaders = defineCheck({
  ...HTTP,
  id: 'HTP-22',
  title: 'a stream tells proxies not to buffer it',
  eras: ['modern'],
  level: 'SHOULD',
  tier: 'standard',
  source: spec(
    '2026-07-28',
    'basic/transports/streamable-http#receiving-messages',
    'When initiating an SSE stream, servers SHOULD include the X-Accel-Buffering: no header in the HTTP response.',
  ),
  remedy: 'Send X-Accel-Buffering: no and Cache-Control: no-cache with every event stream.',
  async run(probe) {
    const streamed = await streamedAnswer(probe, await probe.open());
    if (streamed === undefined) return NO_STREAM;
    const value = streamed.http.headers['x-accel-buffering'];
    if (value?.toLowerCase() === 'no') return holds();
    const detail = value === undefined ? 'X-Accel-Buffering is missing.' : `X-Accel-Buffering is ${value}.`;
    return broken({ detail, expected: 'X-Accel-Buffering: no', exchange: streamed.exchange });
  },
});

export const streamEnds = defineCheck({
  ...HTTP,
  id: 'HTP-23',
  title: 'the stream ends after the response',
  eras: BOTH_ERAS,
  level: 'SHOULD',
  tier: 'standard',
  source: {
    legacy: spec(
      '2025-11-25',
      'basic/transports#sending-messages-to-the-server',
      'After the JSON-RPC response has been sent, the server SHOULD terminate the SSE stream.',
    ),
    modern: spec(
      '2026-07-28',
      'basic/transports/streamable-http#receiving-messages',
      'The final JSON-RPC response SHOULD terminate the stream.',
    ),
  },
  remedy: 'End the HTTP response once the JSON-RPC response is written.',
  async run(probe) {
    const streamed = await streamedAnswer(probe, await probe.open());
    if (streamed === undefined) return NO_STREAM;
    const ms = Math.min(END_MS, probe.target.budgets.requestMs);
    if (await streamed.http.endsWithin(ms)) return holds();
    const detail = `The stream was still open ${ms} ms after the response.`;
    return broken({ detail, expected: 'the end of the stream', exchange: streamed.exchange });
  },
});
