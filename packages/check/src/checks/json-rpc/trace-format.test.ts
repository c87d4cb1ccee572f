import { expect, test } from 'vitest';
import { TRACE_FORMATS } from './trace-format.js';

const ACCEPTED: readonly (readonly [string, string])[] = [
  ['traceparent', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'],
  ['tracestate', 'vendor=opaque'],
  ['tracestate', 'a=1, b@c=x=y z ,\td=2'],
  ['baggage', 'user=7'],
  ['baggage', 'a = 1;p;q=2 , b=3'],
];

const REFUSED: readonly (readonly [string, string, string])[] = [
  ['traceparent', 'zeros alone', '00-0-0-01'],
  ['tracestate', 'a capital letter', 'Vendor=opaque'],
  ['tracestate', 'an empty member', 'a=1,,b=2'],
  ['tracestate', 'very many members', `a=${',s=6'.repeat(50_000)}\u0000`],
  ['tracestate', 'very many spaces', `a=${' '.repeat(100_000)}\u0000`],
  ['baggage', 'a name alone', 'user'],
  ['baggage', 'very many properties', `a=${';b'.repeat(100_000)},=`],
];

test.each(ACCEPTED)('%s may be %j', (field, text) => {
  expect(TRACE_FORMATS[field]?.test(text)).toBe(true);
});

test.each(REFUSED)('%s may not be %s, which is found in linear time', (field, _what, text) => {
  expect(TRACE_FORMATS[field]?.test(text)).toBe(false);
});
