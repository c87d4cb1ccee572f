import { BOTH_ERAS, defineCheck } from '../../model/check.js';
import { broken, doubtful, holds, type Finding } from '../../model/finding.js';
import type { Reply } from '../../session/answer.js';
import { plainMethod, UNKNOWN_METHOD } from '../instrument/control-request.js';
import { spec } from '../instrument/spec.js';
import { firstRequest, HTTP } from './raw.js';

const LEGACY = 'basic/transports#sending-messages-to-the-server';
const MODERN = 'basic/transports/streamable-http#sending-messages';

export const contentType = defineCheck({
  ...HTTP,
  id: 'HTP-01',
  title: 'a request is answered with application/json or text/event-stream',
  eras: BOTH_ERAS,
  level: 'MUST',
  tier: 'smoke',
  source: {
    legacy: spec(
      '2025-11-25',
      LEGACY,
      'If the input is a JSON-RPC request, the server MUST either return Content-Type: text/event-stream, to initiate an SSE stream, or Content-Type: application/json, to return one JSON object.',
    ),
    modern: spec(
      '2026-07-28',
      MODERN,
      'If the body is a JSON-RPC request, the server MUST return either Content-Type: application/json (a single JSON object) or Content-Type: text/event-stream (an SSE response stream).',
    ),
  },
  remedy: 'Set Content-Type: application/json on single answers and text/event-stream on streams.',
  async run(probe) {
    for (const method of [plainMethod(probe.era), UNKNOWN_METHOD]) {
      const { http, exchange } = await probe.session().request(method);
      const type = (http?.headers['content-type'] ?? '').toLowerCase();
      if (/^(?:application\/json|text\/event-stream)\s*(?:;|$)/u.test(type)) continue;
      return broken({
        detail: type === '' ? `The answer to ${method} has no Content-Type.` : `The answer to ${method} is ${type}.`,
        expected: 'Content-Type: application/json or text/event-stream',
        exchange,
      });
    }
    return holds();
  },
});

const accepted = ({ http, exchange }: Pick<Reply, 'http' | 'exchange'>): Finding => {
  const expected = 'HTTP 202 without a body, or an HTTP error';
  const { status, body } = http ?? { status: 0, body: '' };
  if (status >= 500) return doubtful({ detail: `It came back with HTTP ${status}.`, expected, exchange });
  if (status >= 400) return holds(`It is refused with HTTP ${status}.`);
  if (status !== 202) return broken({ detail: `It came back with HTTP ${status}.`, expected, exchange });
  if (body.trim() !== '') return broken({ detail: 'HTTP 202 came with a body.', expected, exchange });
  return holds();
};

export const notificationAccepted = defineCheck({
  ...HTTP,
  id: 'HTP-02',
  title: 'a notification is answered with 202 and no body, or with an HTTP error',
  eras: BOTH_ERAS,
  level: 'MUST',
  tier: 'smoke',
  source: {
    legacy: spec(
      '2025-11-25',
      LEGACY,
      'If the server accepts the input, the server MUST return HTTP status code 202 Accepted with no body.',
    ),
    modern: spec(
      '2026-07-28',
      MODERN,
      'If the server accepts it, the server MUST return HTTP status code 202 Accepted with no body.',
    ),
  },
  remedy: 'Answer a POST with a notification with 202 and an empty body.',
  async run(probe) {
    const session = await probe.open();
    return accepted(await session.notify('notifications/cancelled', { requestId: 'never-sent', reason: 'a test' }));
  },
});

export const responseAccepted = defineCheck({
  ...HTTP,
  id: 'HTP-03',
  title: 'a response of the client is answered with 202 and no body, or with an HTTP error',
  eras: ['legacy'],
  level: 'MUST',
  tier: 'standard',
  source: spec(
    '2025-11-25',
    LEGACY,
    'If the server accepts the input, the server MUST return HTTP status code 202 Accepted with no body.',
  ),
  remedy: 'Answer a POST with a response with 202 and an empty body, even if nothing waits for it.',
  async run(probe) {
    const session = await probe.open();
    return accepted(await session.send(JSON.stringify({ jsonrpc: '2.0', id: 'never-asked', result: {} })));
  },
});

export const strangeAccept = defineCheck({
  ...HTTP,
  id: 'HTP-04',
  title: 'an unusual Accept header is rejected or ignored, and never causes an internal error',
  eras: BOTH_ERAS,
  level: 'ADVICE',
  tier: 'full',
  source: {
    legacy: spec(
      '2025-11-25',
      LEGACY,
      'The client MUST include an Accept header, listing both application/json and text/event-stream as supported content types.',
    ),
    modern: spec(
      '2026-07-28',
      MODERN,
      'The client MUST include an Accept header listing both application/json and text/event-stream as supported content types.',
    ),
  },
  remedy: 'Answer an Accept header that you cannot satisfy with 406.',
  async run(probe) {
    const request = firstRequest(probe);
    for (const accept of [null, 'image/png', '*/*', ';;;']) {
      const { http, exchange } = await probe.http({ ...request, headers: { ...request.headers, accept } });
      if (http === undefined || http.status < 500) continue;
      const detail = `Accept: ${accept ?? '(none)'} led to HTTP ${http.status}.`;
      return broken({ detail, expected: 'HTTP 406, or an answer', exchange });
    }
    return holds();
  },
});

export const strangeContentType = defineCheck({
  ...HTTP,
  id: 'HTP-05',
  title: 'a body that is not declared as JSON is rejected',
  eras: BOTH_ERAS,
  level: 'ADVICE',
  tier: 'standard',
  source: {
    sentence:
      'The 415 (Unsupported Media Type) status code indicates that the origin server is refusing to service the request because the content is in a format not supported by this method on the target resource.',
    url: 'https://www.rfc-editor.org/rfc/rfc9110#section-15.5.16',
  },
  remedy:
    'Answer any Content-Type except application/json with 415: web pages can send text/plain without a preflight request.',
  async run(probe) {
    const request = firstRequest(probe);
    const headers = { ...request.headers, 'content-type': 'text/plain' };
    const { http, exchange } = await probe.http({ ...request, headers });
    if (http !== undefined && http.status >= 400 && http.status < 500) return holds();
    const detail = `A body of text/plain came back with HTTP ${http?.status ?? 0}.`;
    return broken({ detail, expected: 'HTTP 415 or 400', exchange });
  },
});
