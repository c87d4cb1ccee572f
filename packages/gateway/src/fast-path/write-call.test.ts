import { META_KEY } from '@plugboard/wire';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toLegacyParams } from '../rpc/era-members.js';
import { writeCall } from './write-call.js';
import { WrittenCall } from './written-call.js';

const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

const meta = fc.record(
  {
    progressToken: fc.oneof(fc.integer(), fc.string()),
    traceparent: fc.string(),
    other: fc.jsonValue({ maxDepth: 2 }),
  },
  { requiredKeys: [] },
);
const requests = fc.record({
  jsonrpc: fc.constant('2.0'),
  id: fc.oneof(fc.integer({ min: -1_000_000, max: 1_000_000 }), fc.string()),
  method: fc.constant('tools/call'),
  params: fc.record(
    {
      name: fc.string(),
      arguments: fc.dictionary(fc.stringMatching(/^\w*$/u), fc.jsonValue({ maxDepth: 2 })),
      _meta: meta,
    },
    { requiredKeys: ['name'] },
  ),
});
type Request = typeof requests extends fc.Arbitrary<infer Value> ? Value : never;

const read = (request: unknown, indent?: number): WrittenCall => {
  const call = WrittenCall.read(Buffer.from(JSON.stringify(request, undefined, indent)));
  if (call === undefined) throw new Error('it is a plain call');
  return call;
};

describe('writeCall', () => {
  it('changes the id, the name, the token and the trace, and nothing else', () => {
    fc.assert(
      fc.property(requests, fc.integer(), fc.string(), fc.constantFrom(undefined, 2), (given, id, name, indent) => {
        const request = JSON.parse(JSON.stringify(given)) as Request;
        const context = { traceparent: TRACEPARENT, tracestate: 'a=1' };
        const written = writeCall(read(request, indent), { idText: String(id), name, context, ending: '' });
        const { _meta, ...params } = request.params;
        expect(JSON.parse(written.toString())).toEqual({
          ...request,
          id,
          params: {
            ...params,
            name,
            _meta: { ..._meta, ...(_meta?.progressToken === undefined ? {} : { progressToken: id }), ...context },
          },
        });
      }),
    );
  });

  it('takes the envelope of the modern era away for a legacy server, as the full path does', () => {
    const envelope = fc.dictionary(fc.constantFrom(...Object.values(META_KEY)), fc.jsonValue({ maxDepth: 2 }));
    fc.assert(
      fc.property(requests, envelope, fc.boolean(), fc.constantFrom(undefined, 2), (given, more, first, indent) => {
        const request = JSON.parse(JSON.stringify(given)) as Request;
        const { _meta, ...rest } = request.params;
        const meta = { ..._meta, ...more };
        const params = first ? { _meta: meta, ...rest } : { ...rest, _meta: meta };
        const changes = { idText: '9', name: 'n', context: undefined, ending: '', added: [] };
        const written = writeCall(read({ ...request, params }, indent), changes);
        const token = _meta?.progressToken === undefined ? {} : { progressToken: 9 };
        const expected = toLegacyParams({ ...params, _meta: { ...meta, ...token }, name: 'n' });
        expect(JSON.parse(written.toString())).toEqual({ ...request, id: 9, params: expected });
      }),
    );
  });

  it('adds the envelope of the modern era and the trace', () => {
    fc.assert(
      fc.property(requests, (given) => {
        const request = JSON.parse(JSON.stringify(given)) as Request;
        const context = { traceparent: TRACEPARENT };
        const added = [`"${META_KEY.protocolVersion}":"2026-07-28"`];
        const written = writeCall(read(request), { idText: '9', name: 'n', context, ending: '', added });
        const { _meta } = request.params;
        const token = _meta?.progressToken === undefined ? {} : { progressToken: 9 };
        const meta = { ..._meta, ...token, ...context, [META_KEY.protocolVersion]: '2026-07-28' };
        expect(JSON.parse(written.toString())).toEqual({
          ...request,
          id: 9,
          params: { ...request.params, name: 'n', _meta: meta },
        });
      }),
    );
  });

  it('hands the same bytes on when nothing changes', () => {
    const call = read({ jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 'a', arguments: {} } });
    expect(writeCall(call, { idText: '5', name: 'a', context: undefined, ending: '' })).toBe(call.bytes);
  });
});

describe('WrittenCall', () => {
  it.each([
    ['an id that is no whole number', { id: 1.5 }],
    ['an id that is too long to be one number for everybody', { id: 1_234_567_890_123_456 }],
    ['no name', { params: {} }],
    ['a name that is no text', { params: { name: 1 } }],
    ['arguments that are no object', { params: { name: 'a', arguments: [] } }],
    ['a token that is none', { params: { name: 'a', _meta: { progressToken: {} } } }],
  ])('leaves %s to others', (_what, changes) => {
    const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'a' }, ...changes };
    expect(WrittenCall.read(Buffer.from(JSON.stringify(request)))).toBeUndefined();
  });
});
