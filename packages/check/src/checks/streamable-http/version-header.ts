import { defineCheck } from '../../model/check.js';
import { broken, holds, notVerified } from '../../model/finding.js';
import { describe } from '../../session/answer.js';
import { META } from '../../session/meta.js';
import { answeredMethod } from '../instrument/control-request.js';
import { spec } from '../instrument/spec.js';
import { HTTP } from './raw.js';

const PAGE = 'basic/transports#protocol-version-header';

export const badVersionHeader = defineCheck({
  ...HTTP,
  id: 'HTP-19',
  title: 'an unpublished version in the header is rejected with 400',
  eras: ['legacy'],
  level: 'MUST',
  since: '2025-06-18',
  tier: 'smoke',
  source: spec(
    '2025-11-25',
    PAGE,
    'If the server receives a request with an invalid or unsupported MCP-Protocol-Version, it MUST respond with 400 Bad Request.',
  ),
  remedy: 'If there is an MCP-Protocol-Version header, compare it with the revisions that you support.',
  async run(probe) {
    const session = probe.session();
    const method = await answeredMethod(probe);
    // The control: with the revision that was agreed on, it comes to a result.
    const control = await session.request(method);
    if (control.result === undefined) {
      return notVerified(
        `With its own revision, ${method} came back with ${describe(control)}.`,
        'a server that answers ping or a list',
      );
    }
    const headers = { 'mcp-protocol-version': '1900-01-01' };
    const { http, exchange } = await session.request(method, undefined, { headers });
    const status = http?.status ?? 0;
    const expected = 'HTTP 400';
    if (status === 400) return holds();
    return broken({ detail: `It came back with HTTP ${status}.`, expected, exchange });
  },
});

export const noVersionHeader = defineCheck({
  ...HTTP,
  id: 'HTP-20',
  title: 'a request without a version in its header is served',
  eras: ['legacy'],
  level: 'SHOULD',
  tier: 'standard',
  source: spec(
    '2025-11-25',
    PAGE,
    'For backwards compatibility, if the server does not receive an MCP-Protocol-Version header, and has no other way to identify the version […] the server SHOULD assume protocol version 2025-03-26.',
  ),
  remedy: 'If the header is missing, use the revision from initialize, or 2025-03-26.',
  async run(probe) {
    const answer = await probe.session().request('ping', undefined, { headers: { 'mcp-protocol-version': null } });
    if (answer.result !== undefined) return holds();
    return broken({
      detail: `It came back with ${describe(answer)}.`,
      expected: 'a result',
      exchange: answer.exchange,
    });
  },
});

export const versionMismatch = defineCheck({
  ...HTTP,
  id: 'HTP-34',
  title: 'a version header that differs from the body is rejected with -32020',
  eras: ['modern'],
  level: 'MUST',
  tier: 'smoke',
  source: spec(
    '2026-07-28',
    'basic/transports/streamable-http#protocol-version-header',
    'If the values do not match, the server MUST reject the request with 400 Bad Request and a HeaderMismatch JSON-RPC error',
  ),
  remedy: 'Compare MCP-Protocol-Version with the protocolVersion in _meta. If they differ, answer with 400 and -32020.',
  async run(probe) {
    const session = probe.session();
    const answer = await session.request('server/discover', undefined, {
      meta: { [META.protocolVersion]: '2025-11-25' },
      headers: { 'mcp-protocol-version': session.revision },
    });
    if (answer.http?.status === 400 && answer.error?.code === -32_020) return holds();
    const detail = `Header ${session.revision} and body 2025-11-25 came back with ${describe(answer)}.`;
    return broken({ detail, expected: 'HTTP 400, error -32020', exchange: answer.exchange });
  },
});
