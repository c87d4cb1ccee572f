import { describe, expect, test } from 'vitest';
import { McpSessionError } from '../../error/error-family.js';
import { isSessionLoss, sessionLostError, speaksOfSession } from './session-loss.js';

describe('session loss', () => {
  test.each([
    [-32001, 'Session not found', true],
    [-32000, 'Bad Request: No valid session ID provided', true],
    [-32000, 'Bad Request: Server not initialized', true],
    [-32600, 'Session terminated', true],
    [-32000, 'The disk is full', false],
    [-32001, 'Request timed out', false],
    [-32602, 'no such session', false],
    [-32000, 'obsession', false],
  ])('%i "%s" speaks of a session: %j', (code, message, expected) => {
    expect(speaksOfSession({ code, message })).toBe(expected);
  });

  test('a lost session was not executed', () => {
    expect(sessionLostError('gone')).toBeInstanceOf(McpSessionError);
    expect(sessionLostError('gone')).toMatchObject({ delivery: 'not-executed', code: 'SESSION_LOST' });
  });

  test.each([
    [404, undefined, true, true],
    [404, undefined, false, false],
    [400, undefined, true, false],
    [404, -32601, true, false],
    [404, -32000, true, true],
  ])('status %i with code %j, established %j: %j', (status, code, established, expected) => {
    const failure =
      code === undefined ? undefined : ({ jsonrpc: '2.0', id: 1, error: { code, message: 'm' } } as const);
    expect(isSessionLoss(status, failure, established)).toBe(expected);
  });
});
