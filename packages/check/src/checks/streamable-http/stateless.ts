import { defineCheck } from '../../model/check.js';
import { broken, holds } from '../../model/finding.js';
import { describe } from '../../session/answer.js';
import { speaksLegacy } from '../instrument/speaks-legacy.js';
import { spec } from '../instrument/spec.js';
import { HTTP } from './raw.js';
import { streamedAnswer } from './streamed.js';

export const noSessions = defineCheck({
  ...HTTP,
  id: 'HTP-40',
  title: 'modern requests use no sessions and no resumption',
  eras: ['modern'],
  level: 'SHOULD',
  tier: 'standard',
  source: spec(
    '2026-07-28',
    'basic/transports/streamable-http#earlier-streamable-http-revisions',
    'An Mcp-Session-Id header on a request: ignore it, and do not mint or echo session IDs.',
  ),
  remedy:
    'Ignore Mcp-Session-Id and Last-Event-ID on modern requests, send neither session nor event ids, reject GET and DELETE with 405.',
  async run(probe) {
    const headers = { 'mcp-session-id': 'plugboard-no-such-session', 'last-event-id': '1' };
    const answer = await probe.session().request('server/discover', undefined, { headers });
    const { exchange, http } = answer;
    if (answer.result === undefined) {
      return broken({ detail: `A session id led to ${describe(answer)}.`, expected: 'a result', exchange });
    }
    if (http?.headers['mcp-session-id'] !== undefined) {
      return broken({ detail: 'The answer contains a session id.', expected: 'no Mcp-Session-Id', exchange });
    }
    const streamed = await streamedAnswer(probe, await probe.open());
    if (streamed?.events.some(({ id }) => id !== undefined) === true) {
      return broken({ detail: 'Events have ids.', expected: 'no id: lines', exchange: streamed.exchange });
    }
    if (await speaksLegacy(probe)) return holds();
    for (const method of ['GET', 'DELETE']) {
      const reply = await probe.stream({ method, headers: { accept: 'text/event-stream', 'content-type': null } });
      if (reply.status === 405) continue;
      const detail = `${method} came back with HTTP ${reply.status}.`;
      return broken({ detail, expected: 'HTTP 405' });
    }
    return holds();
  },
});
