import type { HttpExchange } from '../../connection/http-exchange.js';
import { isObject, show, tryJson } from '../../connection/json.js';
import { defineCheck } from '../../model/check.js';
import { broken, holds, notApplicable } from '../../model/finding.js';
import { isResponse } from '../../session/envelope.js';
import type { Probe } from '../../probe/probe.js';
import type { Session } from '../../session/session.js';
import { spec } from '../instrument/spec.js';
import { HTTP, listening } from './raw.js';
import { streamedAnswer } from './streamed.js';

const legacy = { ...HTTP, eras: ['legacy'] } as const;
const NO_GET = notApplicable('The server offers no stream by GET.');

const listen = async (probe: Probe, session: Session): Promise<HttpExchange | undefined> => {
  const http = await probe.stream(listening(session));
  return http.status === 200 && http.isStream ? http : undefined;
};

const dataOf = (http: HttpExchange): readonly string[] =>
  http.events.items.map(({ data }) => data).filter((data) => isObject(tryJson(data)));

const evidence = (http: HttpExchange) => ({
  sent: 'GET',
  received: http.received.slice(0, 8_192),
  connection: http.connection,
  recipe: undefined,
});

export const oneStreamOnly = defineCheck({
  ...legacy,
  id: 'HTP-24',
  title: 'a message is sent on only one stream',
  level: 'MUST',
  tier: 'standard',
  source: spec(
    '2025-11-25',
    'basic/transports#multiple-connections',
    'The server MUST send each of its JSON-RPC messages on only one of the connected streams; that is, it MUST NOT broadcast the same message across multiple streams.',
  ),
  remedy: 'Send messages of a request on its stream, and everything else on one other stream.',
  async run(probe) {
    const session = await probe.open();
    const get = await listen(probe, session);
    if (get === undefined) return NO_GET;
    const second = await listen(probe, session);
    const streamed = await streamedAnswer(probe, session);
    await session.settle();
    const streams = [get, second, streamed?.http].flatMap((stream) => (stream === undefined ? [] : [dataOf(stream)]));
    // Two notices may well read the same; what carries an id of ours is one message.
    const ours = streams.flat().filter((data) => /"stream-[0-9a-f-]{36}"/u.test(data));
    const twice = ours.find((data) => streams.filter((stream) => stream.includes(data)).length > 1);
    if (twice === undefined) return holds(`${streams.length} streams`);
    return broken({ detail: `Two streams carried ${show(twice)}.`, expected: 'one of them', exchange: evidence(get) });
  },
});

export const noResponseOnGet = defineCheck({
  ...legacy,
  id: 'HTP-25',
  title: 'no response is sent on the GET stream',
  level: 'MUST',
  tier: 'standard',
  source: spec(
    '2025-11-25',
    'basic/transports#listening-for-messages-from-the-server',
    'The server MUST NOT send a JSON-RPC response on the stream unless resuming a stream associated with a previous client request.',
  ),
  remedy: 'Send the response to a request in the answer to its POST.',
  async run(probe) {
    const session = await probe.open();
    const get = await listen(probe, session);
    if (get === undefined) return NO_GET;
    await session.request('ping');
    if (session.capabilities['tools'] !== undefined) await session.request('tools/list');
    await session.settle();
    const response = dataOf(get).find((data) => {
      const message = tryJson(data);
      return isObject(message) && isResponse(message);
    });
    if (response === undefined) return holds();
    return broken({ detail: `GET carried ${show(response)}.`, expected: 'no response', exchange: evidence(get) });
  },
});
