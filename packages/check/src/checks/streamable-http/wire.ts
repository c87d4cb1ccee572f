import { BOTH_ERAS, defineCheck } from '../../model/check.js';
import { broken, holds } from '../../model/finding.js';
import { BASE_HEADERS } from '../../session/http-headers.js';
import { firstRequest, HTTP } from './raw.js';

const CHUNK = 16;

const chunked = (body: string): string => {
  const pieces: string[] = [];
  const bytes = Buffer.from(body);
  for (let at = 0; at < bytes.length; at += CHUNK) {
    const piece = bytes.subarray(at, at + CHUNK);
    pieces.push(`${piece.length.toString(16)}\r\n${piece.toString('latin1')}\r\n`);
  }
  return `${pieces.join('')}0\r\n\r\n`;
};

export const chunkedRequest = defineCheck({
  ...HTTP,
  id: 'HTP-43',
  title: 'a body in chunks is read, and the connection serves a second request',
  eras: BOTH_ERAS,
  level: 'ADVICE',
  tier: 'full',
  source: {
    sentence: 'A recipient MUST be able to parse and decode the chunked transfer coding.',
    url: 'https://www.rfc-editor.org/rfc/rfc9112#section-7.1',
  },
  remedy: 'Leave the reading of requests to your HTTP library; do not rely on Content-Length.',
  async run(probe) {
    const { headers = {}, body } = firstRequest(probe);
    const { host, pathname, search } = new URL(probe.url ?? 'http://localhost');
    const own = { ...BASE_HEADERS, ...probe.target.headers, ...headers };
    const lines = Object.entries(own).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}\r\n`]));
    const request = `POST ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\n${lines.join('')}transfer-encoding: chunked\r\n\r\n${chunked(body)}`;
    const socket = await probe.bytes();
    const exchange = () => ({
      sent: request,
      received: socket.received,
      connection: socket.connection,
      recipe: undefined,
    });
    socket.write(request);
    const first = await socket.until(/"id":\s*"first"/u);
    if (!first.startsWith('HTTP/1.1 200')) {
      return broken({
        detail: `It came back with ${first.split('\r\n')[0] ?? 'nothing'}.`,
        expected: 'HTTP 200',
        exchange: exchange(),
      });
    }
    if (socket.closed || /^connection:\s*close/imu.test(first)) {
      return holds('The connection is closed after each answer.');
    }
    socket.write(request);
    const both = await socket.until(/"id":\s*"first"[^]*"id":\s*"first"/u);
    if ((both.match(/HTTP\/1\.1 200/gu) ?? []).length >= 2) return holds();
    return broken({
      detail: 'The second request on the connection was not answered.',
      expected: 'HTTP 200 twice',
      exchange: exchange(),
    });
  },
});
