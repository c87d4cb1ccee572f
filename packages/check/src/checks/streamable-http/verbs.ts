import { BOTH_ERAS, defineCheck } from '../../model/check.js';
import { broken, holds, notApplicable } from '../../model/finding.js';
import { spec } from '../instrument/spec.js';
import { HTTP, listening, sessionHeaders } from './raw.js';

export const getStream = defineCheck({
  ...HTTP,
  id: 'HTP-11',
  title: 'GET opens an event stream or is rejected with 405',
  eras: ['legacy'],
  level: 'MUST',
  tier: 'smoke',
  source: spec(
    '2025-11-25',
    'basic/transports#listening-for-messages-from-the-server',
    'The server MUST either return Content-Type: text/event-stream in response to this HTTP GET, or else return HTTP 405 Method Not Allowed, indicating that the server does not offer an SSE stream at this endpoint.',
  ),
  remedy: 'Answer GET with an event stream, or with 405 and Allow: POST.',
  async run(probe) {
    const session = await probe.open();
    const http = await probe.stream(listening(session));
    if (http.status === 405) return holds('It is refused with 405.');
    if (http.status === 200 && http.isStream) return holds('It opens a stream.');
    const type = http.headers['content-type'] ?? 'no content type';
    return broken({
      detail: `GET came back with HTTP ${http.status} and ${type}.`,
      expected: 'text/event-stream, or HTTP 405',
      exchange: { sent: 'GET', received: `HTTP ${http.status}`, connection: http.connection, recipe: undefined },
    });
  },
});

export const deleteSession = defineCheck({
  ...HTTP,
  id: 'HTP-12',
  title: 'DELETE ends the session or is rejected with 405',
  eras: ['legacy'],
  level: 'ADVICE',
  tier: 'standard',
  source: spec(
    '2025-11-25',
    'basic/transports#session-management',
    'The server MAY respond to this request with HTTP 405 Method Not Allowed, indicating that the server does not allow clients to terminate sessions.',
  ),
  remedy: 'Answer DELETE with 200 or 204 when it ended the session, and with 405 when you do not allow it.',
  async run(probe) {
    const session = await probe.open();
    if (session.sessionId === undefined) return notApplicable('The server issues no session ids.');
    const { http, exchange } = await probe.http({ method: 'DELETE', headers: sessionHeaders(session) });
    const status = http?.status ?? 0;
    if (status === 405 || (status >= 200 && status < 300)) return holds(`HTTP ${status}`);
    return broken({ detail: `DELETE came back with HTTP ${status}.`, expected: 'HTTP 2xx or 405', exchange });
  },
});

const isHtml = (type: string | undefined, body: string): boolean =>
  /^text\/html\b/iu.test(type ?? '') || /^\s*<(?:!doctype html|html)\b/iu.test(body);

export const otherVerbs = defineCheck({
  ...HTTP,
  id: 'HTP-13',
  title: 'methods that the endpoint does not have are rejected, without a page of HTML',
  eras: BOTH_ERAS,
  level: 'ADVICE',
  tier: 'standard',
  source: {
    sentence:
      'The 405 (Method Not Allowed) status code indicates that the method received in the request-line is known by the origin server but not supported by the target resource.',
    url: 'https://www.rfc-editor.org/rfc/rfc9110#section-15.5.6',
  },
  remedy:
    'Answer methods that you do not have with 405, Allow, and an empty or JSON body. Web frameworks send a page of HTML for routes that they do not know: add a route for all methods of the endpoint.',
  async run(probe) {
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const { http, exchange } = await probe.http({ method, body: '{}' });
      const { status, body, headers } = http ?? { status: 0, body: '', headers: {} };
      const expected = 'HTTP 405 with an empty or JSON body';
      // DELETE without a session has nothing to end, so that any answer will do.
      if ((status < 400 && method !== 'DELETE') || (status >= 500 && status !== 501)) {
        return broken({ detail: `${method} came back with HTTP ${status}.`, expected, exchange });
      }
      if (/\bat .+\(.+:\d+:\d+\)|Traceback/u.test(body)) {
        return broken({ detail: `${method} came back with a stack trace.`, expected, exchange });
      }
      if (isHtml(headers['content-type'], body)) {
        return broken({ detail: `${method} came back with HTTP ${status} and a page of HTML.`, expected, exchange });
      }
    }
    return holds();
  },
});
