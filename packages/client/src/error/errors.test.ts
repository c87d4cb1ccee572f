import { PlugboardError } from '@plugboard/contract';
import { describe, expect, test } from 'vitest';
import { abortedError, throwIfAborted } from './aborted-error.js';
import { McpClientError } from './client-error.js';
import { McpConnectionError, McpTimeoutError } from './error-family.js';
import { httpStatusError, parseRetryAfter } from './http-status-error.js';
import { networkError } from './network-error.js';
import { processEndedError } from './process-error.js';
import { rpcError } from './rpc-error.js';
import { clientError, toClientError } from './to-client-error.js';

const plain = (text: string): string => text;

describe('the family', () => {
  test.each([
    ['UPSTREAM_REFUSED', 'connection'],
    ['UPSTREAM_NOT_MCP', 'protocol'],
    ['UPSTREAM_TIMEOUT', 'timeout'],
    ['SESSION_LOST', 'session'],
    ['PROCESS_CRASH_LOOP', 'process'],
    ['UPSTREAM_AUTH', 'auth'],
    ['AMBIGUOUS_DELIVERY', 'ambiguous-delivery'],
    ['CIRCUIT_OPEN', 'circuit-open'],
    ['RATE_LIMITED', 'rate-limited'],
    ['CANCELLED', 'cancelled'],
  ] as const)('%s is a %s error', (code, kind) => {
    const error = clientError(code, 'A sentence.');
    expect(error).toBeInstanceOf(McpClientError);
    expect(error).toBeInstanceOf(PlugboardError);
    expect(error).toMatchObject({
      code,
      kind,
      delivery: 'not-executed',
      attempts: [],
      name: expect.stringMatching(/^Mcp\w+Error$/u) as string,
    });
  });

  test('with() gives another error of the same kind and leaves the first alone', () => {
    const cause = new Error('inside');
    const first = new McpConnectionError('UPSTREAM_CLOSED', 'Gone.', {
      hint: 'Look.',
      details: { a: 1 },
      cause,
      retryAfterMs: 5,
    });
    const attempts = [{ attempt: 1, code: first.code, message: 'Gone.', delivery: first.delivery, elapsedMs: 3 }];
    const second = first.with({ delivery: 'ambiguous', attempts });
    expect(second).toBeInstanceOf(McpConnectionError);
    expect(second).toMatchObject({
      message: 'Gone.',
      hint: 'Look.',
      details: { a: 1 },
      cause,
      retryAfterMs: 5,
      delivery: 'ambiguous',
      attempts,
    });
    expect(first).toMatchObject({ delivery: 'not-executed', attempts: [] });
  });

  test('toJSON has what a caller can act on, and neither the cause nor a stack', () => {
    const error = rpcError({ code: -32602, message: 'no', data: { secret: 'data' } }, plain).with({
      attempts: [{ attempt: 1, code: 'UPSTREAM_CLOSED', message: 'x', delivery: 'ambiguous', elapsedMs: 1 }],
    });
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      code: 'INVALID_ARGUMENT',
      message: 'The server answered with an error: no',
      details: {
        rpc_message: 'no',
        rpc_code: -32602,
        delivery: 'answered',
        attempts: [{ attempt: 1, code: 'UPSTREAM_CLOSED', message: 'x', delivery: 'ambiguous', elapsedMs: 1 }],
      },
    });
  });

  test('anything thrown becomes a member', () => {
    const member = new McpTimeoutError('UPSTREAM_TIMEOUT', 'Late.');
    expect(toClientError(member)).toBe(member);
    expect(toClientError(new PlugboardError('CIRCUIT_OPEN', 'Open.', { retryAfterMs: 9 }))).toMatchObject({
      kind: 'circuit-open',
      retryAfterMs: 9,
    });
    expect(toClientError(new Error('password=hunter2'))).toMatchObject({ code: 'INTERNAL', delivery: 'ambiguous' });
    expect(JSON.stringify(toClientError(new Error('password=hunter2')))).not.toContain('hunter2');
  });
});

describe('networkError', () => {
  const system = (code: string, extra: object = {}): Error => Object.assign(new Error(code), { code, ...extra });

  test.each([
    [system('ECONNREFUSED', { syscall: 'connect' }), 'UPSTREAM_REFUSED', 'not-executed'],
    [system('EHOSTUNREACH'), 'UPSTREAM_REFUSED', 'not-executed'],
    [system('ENOTFOUND'), 'UPSTREAM_DNS', 'not-executed'],
    [system('EAI_AGAIN'), 'UPSTREAM_DNS', 'not-executed'],
    [system('DEPTH_ZERO_SELF_SIGNED_CERT'), 'UPSTREAM_TLS', 'not-executed'],
    [system('ERR_TLS_CERT_ALTNAME_INVALID'), 'UPSTREAM_TLS', 'not-executed'],
    [system('EPROTO'), 'UPSTREAM_TLS', 'not-executed'],
    [system('UND_ERR_CONNECT_TIMEOUT'), 'UPSTREAM_TIMEOUT', 'not-executed'],
    [system('ETIMEDOUT', { syscall: 'connect' }), 'UPSTREAM_TIMEOUT', 'not-executed'],
    [system('ETIMEDOUT', { syscall: 'read' }), 'UPSTREAM_TIMEOUT', 'ambiguous'],
    [system('UND_ERR_HEADERS_TIMEOUT'), 'UPSTREAM_TIMEOUT', 'ambiguous'],
    [system('ECONNRESET', { syscall: 'read' }), 'UPSTREAM_CLOSED', 'ambiguous'],
    [system('ECONNRESET', { syscall: 'connect' }), 'UPSTREAM_CLOSED', 'not-executed'],
    [system('EPIPE', { syscall: 'write' }), 'UPSTREAM_CLOSED', 'ambiguous'],
    [system('UND_ERR_SOCKET', { socket: { bytesWritten: 0 } }), 'UPSTREAM_CLOSED', 'not-executed'],
    [system('UND_ERR_SOCKET', { socket: { bytesWritten: 900 } }), 'UPSTREAM_CLOSED', 'ambiguous'],
    [system('HPE_INVALID_CONSTANT'), 'UPSTREAM_NOT_MCP', 'ambiguous'],
    [
      Object.assign(new Error('Client network socket disconnected before secure TLS connection was established'), {
        code: 'ECONNRESET',
      }),
      'UPSTREAM_TLS',
      'not-executed',
    ],
    [
      Object.assign(new Error('Proxy response (407) !== 200 when HTTP Tunneling'), { code: 'UND_ERR_ABORTED' }),
      'UPSTREAM_REFUSED',
      'not-executed',
    ],
    [system('UND_ERR_ABORTED'), 'UPSTREAM_CLOSED', 'ambiguous'],
    [new AggregateError([system('ECONNREFUSED'), system('ENETUNREACH')]), 'UPSTREAM_REFUSED', 'not-executed'],
    [new TypeError('fetch failed', { cause: system('ENOTFOUND') }), 'UPSTREAM_DNS', 'not-executed'],
    [undefined, 'INTERNAL', 'ambiguous'],
  ])('%s → %s, %s', (thrown, code, delivery) => {
    expect(networkError(thrown, 'host:1')).toMatchObject({ code, delivery });
  });

  test('names the host and what to look at', () => {
    expect(networkError(system('ECONNREFUSED'), 'db.example:80')).toMatchObject({
      message: 'db.example:80 refused the connection.',
      hint: expect.stringMatching(/port/u) as string,
      details: { system_error: 'ECONNREFUSED' },
    });
  });
});

describe('httpStatusError', () => {
  test.each([
    [301, 'UPSTREAM_WRONG_URL', 'not-executed'],
    [400, 'UPSTREAM_PROTOCOL', 'not-executed'],
    [401, 'UPSTREAM_AUTH', 'not-executed'],
    [403, 'UPSTREAM_AUTH', 'not-executed'],
    [404, 'UPSTREAM_WRONG_URL', 'not-executed'],
    [405, 'UPSTREAM_WRONG_URL', 'not-executed'],
    [408, 'UPSTREAM_TIMEOUT', 'ambiguous'],
    [429, 'RATE_LIMITED', 'not-executed'],
    [500, 'UPSTREAM_UNAVAILABLE', 'ambiguous'],
    [503, 'UPSTREAM_UNAVAILABLE', 'ambiguous'],
    [504, 'UPSTREAM_TIMEOUT', 'ambiguous'],
  ])('%i → %s, %s', (status, code, delivery) => {
    expect(httpStatusError({ status, host: 'h' })).toMatchObject({ code, delivery, details: { http_status: status } });
  });

  test('carries the challenge and the time to wait', () => {
    expect(httpStatusError({ status: 401, host: 'h', challenge: 'Bearer realm="x"' }).details).toEqual({
      http_status: 401,
      challenge: 'Bearer realm="x"',
    });
    expect(httpStatusError({ status: 429, host: 'h', retryAfter: '3' }).retryAfterMs).toBe(3_000);
  });

  test.each([
    [undefined, undefined],
    ['0', 0],
    [' 12 ', 12_000],
    ['Thu, 01 Jan 1970 00:00:10 GMT', 4_000],
    ['Thu, 01 Jan 1970 00:00:01 GMT', 0],
    ['soon', undefined],
    ['7200', 3_600_000],
    ['9'.repeat(400), 3_600_000],
    ['Fri, 01 Jan 9999 00:00:00 GMT', 3_600_000],
  ])('Retry-After %j is %j ms', (value, ms) => {
    expect(parseRetryAfter(value, 6_000)).toBe(ms);
  });
});

describe('JSON-RPC errors', () => {
  test.each([
    [-32601, 'METHOD_NOT_FOUND'],
    [-32602, 'INVALID_ARGUMENT'],
    [-32002, 'NOT_FOUND'],
    [-32603, 'UPSTREAM_PROTOCOL'],
    [7, 'UPSTREAM_PROTOCOL'],
  ])('%i → %s', (code, expected) => {
    expect(rpcError({ code, message: 'm', data: [1] }, plain)).toMatchObject({
      code: expected,
      rpc: { code, data: [1] },
    });
  });
});

describe('the end of a process', () => {
  test('is told with its code and its last lines', () => {
    const report = { code: 3, signal: null, reason: 'exited' as const, stderrTail: ['one', 'two'] };
    const error = processEndedError('files', report, 'ambiguous');
    expect(error).toMatchObject({
      code: 'PROCESS_EXITED',
      message: 'The process of "files" exited with code 3: two',
      details: { exit_code: 3, stderr_tail: 'one\ntwo' },
    });
    expect(error.advice).toEqual({
      api: expect.stringContaining('the Log tab of its page in the console'),
      cli: expect.stringContaining('`plugboard logs <server>` shows its whole output'),
    });
  });

  test('is told as what it was: too much memory, or no word at all', () => {
    const report = { code: null, signal: 'SIGKILL' as const, reason: 'memory-limit' as const, stderrTail: [] };
    expect(processEndedError('files', report, 'ambiguous').code).toBe('PROCESS_MEMORY_LIMIT');
    expect(processEndedError('files', undefined, 'not-executed').message).toContain('closed its output');
  });
});

describe('aborted signals', () => {
  test('a deadline brings its own error, anything else is the caller', () => {
    const late = new McpTimeoutError('UPSTREAM_TIMEOUT', 'Late.', { delivery: 'ambiguous' });
    expect(abortedError(AbortSignal.abort(late), 'not-executed')).toMatchObject({
      kind: 'timeout',
      delivery: 'not-executed',
    });
    expect(abortedError(AbortSignal.abort(), 'ambiguous')).toMatchObject({ kind: 'cancelled', delivery: 'ambiguous' });
    expect(() => throwIfAborted(AbortSignal.abort(), 'ambiguous')).toThrow('cancelled');
    expect(() => throwIfAborted(new AbortController().signal, 'ambiguous')).not.toThrow();
  });
});
