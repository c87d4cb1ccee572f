import { BOTH_ERAS, defineCheck } from '../../model/check.js';
import { broken, doubtful, holds, notApplicable, notVerified } from '../../model/finding.js';
import { Unreachable } from '../../connection/no-answer.js';
import { spec } from '../instrument/spec.js';
import { firstRequest, HTTP, isLocal } from './raw.js';

const EVIL = 'http://evil.example';
const legacy = (sentence: string) => spec('2025-11-25', 'basic/transports#security-warning', sentence);
const modern = (sentence: string) =>
  spec('2026-07-28', 'basic/transports/streamable-http#security-%26-endpoint', sentence);

const FORBIDDEN = 'If the Origin header is present and invalid, servers MUST respond with HTTP 403 Forbidden.';
const REBINDING =
  'Without these protections, attackers could use DNS rebinding to interact with local MCP servers from remote websites.';

export const foreignOrigin = defineCheck({
  ...HTTP,
  id: 'HTP-06',
  title: 'a foreign Origin is rejected with 403',
  eras: BOTH_ERAS,
  level: 'MUST',
  tier: 'smoke',
  source: { legacy: legacy(FORBIDDEN), modern: modern(FORBIDDEN) },
  remedy: 'If there is an Origin header, compare it with the origins that you trust before anything else.',
  async run(probe) {
    const request = firstRequest(probe);
    const { http, exchange } = await probe.http({ ...request, headers: { ...request.headers, origin: EVIL } });
    const status = http?.status ?? 0;
    const expected = 'HTTP 403';
    if (status === 403) return holds();
    const detail = `With Origin: ${EVIL} it came back with HTTP ${status}.`;
    if (status >= 400) return doubtful({ detail, expected, exchange });
    // Which origins a public server trusts is its own affair; one on this machine cannot trust that one.
    return isLocal(probe) ? broken({ detail, expected, exchange }) : doubtful({ detail, expected, exchange });
  },
});

export const ownOrigin = defineCheck({
  ...HTTP,
  id: 'HTP-07',
  title: 'the server’s own Origin is let in',
  eras: BOTH_ERAS,
  // The sentence demands to refuse what is invalid. That nothing else is refused follows from no sentence.
  level: 'ADVICE',
  tier: 'standard',
  source: { legacy: legacy(FORBIDDEN), modern: modern(FORBIDDEN) },
  remedy: 'Reject an Origin only if it is present and not trusted; programs send none.',
  async run(probe) {
    const request = firstRequest(probe);
    const { http: absent } = await probe.http(request);
    // The session of the run was opened without Origin, so this refusal has another cause.
    if (absent?.status === 403) {
      return notVerified(
        'A second client without Origin is refused with HTTP 403.',
        'a server that serves two clients',
      );
    }
    const origin = new URL(probe.url ?? 'http://localhost').origin;
    const { http, exchange } = await probe.http({ ...request, headers: { ...request.headers, origin } });
    if (http?.status !== 403) return holds();
    return broken({ detail: `With Origin: ${origin} it came back with HTTP 403.`, expected: 'an answer', exchange });
  },
});

export const foreignHost = defineCheck({
  ...HTTP,
  id: 'HTP-08',
  title: 'a local server rejects a foreign Host',
  eras: BOTH_ERAS,
  level: 'ADVICE',
  tier: 'standard',
  source: { legacy: legacy(REBINDING), modern: modern(REBINDING) },
  remedy: 'Accept only localhost, 127.0.0.1 and [::1] as Host while you listen on the loopback interface.',
  async run(probe) {
    if (!isLocal(probe)) return notApplicable('The server is not on this machine.');
    const request = firstRequest(probe);
    const { http, exchange } = await probe.http({ ...request, headers: { ...request.headers, host: 'evil.example' } });
    if (http !== undefined && http.status >= 400 && http.status < 500) return holds();
    const detail = `With Host: evil.example it came back with HTTP ${http?.status ?? 0}.`;
    return broken({ detail, expected: 'HTTP 4xx', exchange });
  },
});

const BIND =
  'When running locally, servers SHOULD bind only to localhost (127.0.0.1) rather than all network interfaces (0.0.0.0)';

export const loopbackOnly = defineCheck({
  ...HTTP,
  id: 'HTP-09',
  title: 'a local server listens only on the loopback address',
  eras: BOTH_ERAS,
  level: 'SHOULD',
  tier: 'standard',
  source: { legacy: legacy(BIND), modern: modern(BIND) },
  remedy: 'Bind to 127.0.0.1 by default; let the operator configure other addresses.',
  async run(probe) {
    if (!isLocal(probe)) return notApplicable('The server is not on this machine.');
    const url = new URL(probe.url ?? '');
    // A server that listens on 127.0.0.1 alone does not answer here; one that listens on all addresses does.
    url.hostname = '127.0.0.2';
    try {
      const { exchange } = await probe.http({ ...firstRequest(probe), url: url.href });
      const detail = 'It can also be reached at 127.0.0.2, so it listens on more than 127.0.0.1.';
      return broken({ detail, expected: 'a listener on 127.0.0.1 only', exchange });
    } catch (error) {
      if (error instanceof Unreachable) return holds();
      return notApplicable('This system has only one loopback address.');
    }
  },
});

export const crossOrigin = defineCheck({
  ...HTTP,
  id: 'HTP-10',
  title: 'foreign web pages are not allowed to read answers',
  eras: BOTH_ERAS,
  level: 'ADVICE',
  tier: 'standard',
  source: { legacy: legacy(REBINDING), modern: modern(REBINDING) },
  remedy: 'Send Access-Control-Allow-Origin only for origins that you trust, and never * together with credentials.',
  async run(probe) {
    const preflight = { origin: EVIL, 'access-control-request-method': 'POST', 'content-type': null };
    const { http, exchange } = await probe.http({ method: 'OPTIONS', headers: preflight });
    const allowed = http?.headers['access-control-allow-origin'];
    const expected = 'no Access-Control-Allow-Origin for a foreign page';
    const credentials = http?.headers['access-control-allow-credentials'] === 'true';
    if (allowed === undefined || (allowed !== '*' && allowed !== EVIL)) return holds();
    if (credentials || isLocal(probe)) {
      const more = credentials ? ' together with credentials' : ' although it is on this machine';
      return broken({ detail: `It allows ${allowed}${more}.`, expected, exchange });
    }
    return holds('Any page may read answers that need no credentials.');
  },
});
