import { describe, expect, it } from 'vitest';
import { markOfBrowser, markOfDecision, markOfRun, sessionOfRequest } from './session-of-request.js';

const ID = '0a1b2c3d-0000-4000-8000-000000000000';

describe('sessionOfRequest', () => {
  it('reads the header, or the address of HTTP+SSE', () => {
    expect(sessionOfRequest({ headers: { 'mcp-session-id': ID }, url: '/mcp' })).toEqual({ id: ID, isKept: true });
    expect(sessionOfRequest({ headers: {}, url: `/messages?sessionId=${ID}` })).toEqual({ id: ID, isKept: false });
  });

  it.each([undefined, 'short', `${ID}0`, '../../etc/passwd'])('finds none in %s', (id) => {
    expect(sessionOfRequest({ headers: { 'mcp-session-id': id }, url: '/mcp' })).toBeUndefined();
  });
});

describe('markOfBrowser', () => {
  it('reads the cookie of a browser', () => {
    const of = (cookie?: string) => markOfBrowser({ headers: { cookie } });
    expect(of('a=b; plugboard_session=0a1b2c3d.token')).toBe('0a1b2c3d');
    expect(of('__Host-plugboard_session=0a1b2c3d.token')).toBe('0a1b2c3d');
    for (const other of [undefined, 'plugboard_session=token', 'other_plugboard_session=0a1b2c3d.x']) {
      expect(of(other)).toBeUndefined();
    }
  });
});

describe('markOfRun', () => {
  it('reads the id of a run that a hub carries out', () => {
    expect(markOfRun('20260102T030405678Z-0a1b2c3d99999999')).toBe('0a1b2c3d');
    for (const other of [undefined, '20260102T030405678Z-abc', '..%2f0a1b2c3d99999999']) {
      expect(markOfRun(other)).toBeUndefined();
    }
  });
});

describe('markOfDecision', () => {
  it('reads the id of an answer that an agent of a hub gives', () => {
    const of = (id: string, ...rest: string[]) => markOfDecision(['v1', 'chat', 'completions', id, ...rest]);
    const id = `chatcmpl-0a1b2c3d${'9'.repeat(24)}`;
    expect(of(id, 'decision')).toBe('0a1b2c3d');
    expect(of(id.replace('chatcmpl-', 'resp_'), 'decision')).toBe('0a1b2c3d');
    expect([of(id), of('chatcmpl-1', 'decision'), of(`x${id}`, 'decision')]).toEqual([undefined, undefined, undefined]);
  });
});
