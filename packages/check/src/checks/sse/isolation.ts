import { isLoopback } from '../instrument/address.js';
import { defineCheck } from '../../model/check.js';
import { broken, doubtful, holds } from '../../model/finding.js';
import { jsonRpc, spec } from '../instrument/spec.js';
import {
  isAccepted,
  NOTHING_ACCEPTED,
  openStream,
  postInitialize,
  refusedStream,
  responseEvent,
  SSE,
} from './stream.js';

const EVIL = { origin: 'http://evil.example' } as const;

export const originChecked = defineCheck({
  ...SSE,
  id: 'SSE-06',
  title: 'the stream and the endpoint for messages reject a foreign Origin',
  level: 'MUST',
  tier: 'smoke',
  source: spec(
    '2024-11-05',
    'basic/transports#security-warning',
    'Servers MUST validate the Origin header on all incoming connections to prevent DNS rebinding attacks',
  ),
  remedy: 'If there is an Origin header, compare it with the origins that you trust, on GET and on POST.',
  async run(probe) {
    const expected = 'HTTP 403';
    const local = isLoopback(new URL(probe.url ?? 'http://localhost').hostname);
    // Which origins a public server trusts is its own affair; one on this machine cannot trust that one.
    const judge = local ? broken : doubtful;
    const refusedStream = await openStream(probe, EVIL);
    if (refusedStream.http.status < 400) {
      const detail = `GET with Origin: ${EVIL.origin} came back with HTTP ${refusedStream.http.status}.`;
      return judge({ detail, expected, exchange: refusedStream.exchange });
    }
    const { endpoint } = await openStream(probe);
    // The control: without the header, the stream opens and the message is accepted.
    if (endpoint === undefined) return NOTHING_ACCEPTED;
    const { http, exchange } = await postInitialize(probe, endpoint, 'evil', EVIL);
    if (http !== undefined && http.status >= 400) {
      return isAccepted(await postInitialize(probe, endpoint, 'own')) ? holds() : NOTHING_ACCEPTED;
    }
    return judge({
      detail: `POST with Origin: ${EVIL.origin} came back with HTTP ${http?.status ?? 0}.`,
      expected,
      exchange,
    });
  },
});

export const separateStreams = defineCheck({
  ...SSE,
  id: 'SSE-07',
  inSequence: true,
  title: 'the answer to a client arrives only on its own stream',
  level: 'MUST',
  tier: 'standard',
  source: jsonRpc('response_object', 'It MUST be the same as the value of the id member in the Request Object.'),
  remedy: 'Store the stream of a client with its session, and write answers only there.',
  async run(probe) {
    const [one, two] = [await openStream(probe), await openStream(probe)];
    const refused = refusedStream(one) ?? refusedStream(two);
    if (refused !== undefined) return refused;
    if (one.endpoint === undefined || two.endpoint === undefined) {
      return broken({ detail: 'No endpoint was named.', expected: 'an endpoint event', exchange: one.exchange });
    }
    const first = await postInitialize(probe, one.endpoint, 'mine-1');
    const second = await postInitialize(probe, two.endpoint, 'mine-2');
    if (!isAccepted(first) || !isAccepted(second)) return NOTHING_ACCEPTED;
    const { exchange } = second;
    const expected = 'each answer on the stream of its session';
    const answers = [await responseEvent(probe, one, 'mine-1'), await responseEvent(probe, two, 'mine-2')];
    if (answers.includes(undefined)) return broken({ detail: 'An answer did not arrive.', expected, exchange });
    const crossed = one.http.received.includes('"mine-2"') || two.http.received.includes('"mine-1"');
    return crossed
      ? broken({ detail: 'A stream contained the answer to another client.', expected, exchange })
      : holds();
  },
});
