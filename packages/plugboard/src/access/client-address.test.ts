import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { clientAddress } from './client-address.js';

const from = (remoteAddress: string, forwarded?: string) =>
  ({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } }) as unknown as IncomingMessage;

it('is the address of the connection where no proxy is trusted', () => {
  const of = clientAddress([]);
  expect(of(from('203.0.113.7', '198.51.100.1'))).toBe('203.0.113.7');
  expect(of(from('::ffff:203.0.113.7'))).toBe('203.0.113.7');
});

it.each([
  ['10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['10.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
  ['10.0.0.1', '[2001:db8::1]:4711', '2001:db8::1'],
  ['10.0.0.1', '6.6.6.6, 198.51.100.1, 10.9.9.9', '198.51.100.1'],
  ['::1', '198.51.100.1', '198.51.100.1'],
  ['203.0.113.7', '6.6.6.6', '203.0.113.7'],
  ['10.0.0.1', undefined, '10.0.0.1'],
  ['10.0.0.1', '6.6.6.6, unknown', '10.0.0.1'],
  ['10.0.0.1', '10.2.2.2', '10.0.0.1'],
])('from %s with X-Forwarded-For: %s is %s', (peer, forwarded, expected) => {
  expect(clientAddress(['10.0.0.0/8', '::1'])(from(peer, forwarded))).toBe(expected);
});

it('is what another process says that passed the request on, whatever is trusted', () => {
  const request = from('127.0.0.1', '127.0.0.1');
  for (const trusted of [[], ['127.0.0.1']]) {
    const of = clientAddress(trusted, (asked) => (asked === request ? '203.0.113.7' : undefined));
    expect(of(request)).toBe('203.0.113.7');
    expect(of(from('198.51.100.1'))).toBe('198.51.100.1');
  }
});
