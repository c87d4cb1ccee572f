import { defineCheck } from '../../model/check.js';
import { broken, doubtful, holds, notApplicable, notVerified } from '../../model/finding.js';
import { describe } from '../../session/answer.js';
import { endOfSequence } from '../../session/exchange.js';
import { answeredMethod } from '../instrument/control-request.js';
import { spec } from '../instrument/spec.js';
import { HTTP, sessionHeaders } from './raw.js';

const PAGE = 'basic/transports#session-management';
const legacy = { ...HTTP, eras: ['legacy'] } as const;
const NO_SESSIONS = notApplicable('The server issues no session ids.');
const SAMPLES = 6;
const ENOUGH = 16;

export const sessionIdText = defineCheck({
  ...legacy,
  id: 'HTP-14',
  title: 'session ids are visible ASCII, long, and unique',
  level: 'MUST',
  tier: 'standard',
  source: spec(
    '2025-11-25',
    PAGE,
    'The session ID MUST only contain visible ASCII characters (ranging from 0x21 to 0x7E).',
  ),
  remedy: 'Use a random UUID or 128 random bits in hexadecimal as session id.',
  async run(probe) {
    const ids: string[] = [];
    for (let sample = 0; sample < SAMPLES; sample += 1) {
      const { sessionId, opening } = await probe.open();
      if (sessionId === undefined) return NO_SESSIONS;
      if (!/^[\u0021-\u007e]+$/u.test(sessionId)) {
        const detail = `A session id is ${JSON.stringify(sessionId)}.`;
        return broken({ detail, expected: 'characters from 0x21 to 0x7E', exchange: opening.exchange });
      }
      if (ids.includes(sessionId)) {
        const detail = `Two sessions have the id ${sessionId}.`;
        // That ids are unique is a SHOULD.
        return doubtful({ detail, expected: 'a new id for each session', exchange: opening.exchange });
      }
      ids.push(sessionId);
    }
    const short = ids.find((id) => id.length < ENOUGH || /^\d{1,20}$/u.test(id));
    if (short === undefined) return holds();
    return doubtful({ detail: `"${short}" can be guessed.`, expected: 'at least 128 random bits' });
  },
});

export const sessionIdMissing = defineCheck({
  ...legacy,
  id: 'HTP-15',
  title: 'a request without the session id is rejected with 400',
  level: 'SHOULD',
  tier: 'standard',
  source: spec(
    '2025-11-25',
    PAGE,
    'Servers that require a session ID SHOULD respond to requests without an MCP-Session-Id header (other than initialization) with HTTP 400 Bad Request.',
  ),
  remedy: 'If a request needs a session but names none, answer with 400.',
  async run(probe) {
    const session = await probe.open();
    if (session.sessionId === undefined) return NO_SESSIONS;
    const { http, exchange } = await session.request('ping', undefined, { headers: { 'mcp-session-id': null } });
    if (http?.status === 400) return holds();
    if (http?.status === 200) return holds('Requests without a session are served.');
    return broken({ detail: `It came back with HTTP ${http?.status ?? 0}.`, expected: 'HTTP 400', exchange });
  },
});

export const sessionEnded = defineCheck({
  ...legacy,
  id: 'HTP-16',
  title: 'a session that has ended is answered with 404',
  level: 'MUST',
  tier: 'standard',
  source: spec(
    '2025-11-25',
    PAGE,
    'The server MAY terminate the session at any time, after which it MUST respond to requests containing that session ID with HTTP 404 Not Found.',
  ),
  remedy: 'Delete the session on DELETE, and answer its id with 404 afterwards.',
  async run(probe) {
    const session = await probe.open();
    if (session.sessionId === undefined) return NO_SESSIONS;
    const method = await answeredMethod(probe);
    // The control: before its end, the session serves the same request.
    const before = await session.request(method);
    if (before.result === undefined) {
      return notVerified(
        `Before its end, ${method} came back with ${describe(before)}.`,
        'a server that answers ping or a list',
      );
    }
    const { http } = await probe.http({ method: 'DELETE', headers: sessionHeaders(session) });
    if (http === undefined || http.status >= 300) {
      return notApplicable(`The server does not let clients end sessions (HTTP ${http?.status ?? 0}).`);
    }
    const after = await session.request(method);
    if (after.http?.status === 404) return holds();
    return broken({
      detail: `After DELETE a request came back with HTTP ${after.http?.status ?? 0}.`,
      expected: 'HTTP 404',
      // One request alone does not show it: the DELETE has to come first.
      exchange: endOfSequence(after.exchange),
    });
  },
});

export const sessionUnknown = defineCheck({
  ...legacy,
  id: 'HTP-17',
  title: 'an unknown session id is answered with 404',
  level: 'SHOULD',
  tier: 'standard',
  source: spec(
    '2025-11-25',
    PAGE,
    'When a client receives HTTP 404 in response to a request containing an MCP-Session-Id, it MUST start a new session by sending a new InitializeRequest without a session ID attached.',
  ),
  remedy: 'Answer an unknown session id with 404, so that clients start a new session.',
  async run(probe) {
    const session = await probe.open();
    if (session.sessionId === undefined) return NO_SESSIONS;
    const headers = { 'mcp-session-id': '00000000-0000-4000-8000-000000000000' };
    const { http, exchange } = await session.request('ping', undefined, { headers });
    if (http?.status === 404) return holds();
    return broken({ detail: `It came back with HTTP ${http?.status ?? 0}.`, expected: 'HTTP 404', exchange });
  },
});
