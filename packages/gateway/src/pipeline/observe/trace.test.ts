import { SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { McpCall } from '../../call/mcp-call.js';
import { sampleCall } from '../../test-support/mcp-call.js';
import { passTraceContext, traceCalls } from './trace-calls.js';
import { contextOf, formatTraceparent, parseTraceparent, traceIdOf } from './trace-context.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = `00-${TRACE}-00f067aa0ba902b7-01`;
const OURS = 'b7ad6b7169203331';

describe('parseTraceparent', () => {
  it.each([
    undefined,
    7,
    '',
    'ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    '00-00000000000000000000000000000000-00f067aa0ba902b7-01',
    `00-${TRACE}-0000000000000000-01`,
    `00-${TRACE.toUpperCase()}-00f067aa0ba902b7-01`,
    `00-${TRACE}-00f067aa0ba902b7`,
    `${PARENT}-a\u0000b`,
  ])('refuses %j', (text) => {
    expect(parseTraceparent(text)).toBeUndefined();
  });

  it('reads what it wrote', () => {
    const hex = (length: number) =>
      fc
        .array(fc.constantFrom(...'0123456789abcdef'.split('')), { minLength: length, maxLength: length })
        .map((digits) => digits.join(''))
        .filter((text) => /[^0]/u.test(text));
    fc.assert(
      fc.property(hex(32), hex(16), fc.integer({ min: 0, max: 255 }), (traceId, spanId, flags) => {
        const parsed = { traceId, spanId, flags };
        expect(parseTraceparent(formatTraceparent(parsed))).toEqual(parsed);
      }),
    );
  });
});

const run = async (step: ReturnType<typeof traceCalls>, call: McpCall, last = async (): Promise<unknown> => ({})) => {
  let passed: McpCall = call;
  const result = await step(call, async (inner) => {
    passed = inner;
    return last();
  }).catch((error: unknown) => error);
  return { passed, result };
};

describe('passTraceContext', () => {
  it('touches nothing when the client gave no context, or rubbish', async () => {
    const call = sampleCall('tools/call', { name: 'a' }, { headers: { traceparent: 'rubbish' } });
    expect((await run(passTraceContext, call)).passed).toBe(call);
  });

  it('puts what came either way into both', async () => {
    const byHeader = sampleCall(
      'tools/call',
      { name: 'a', _meta: { progressToken: 1 } },
      {
        headers: { traceparent: PARENT, tracestate: 'a=b', other: 'x' },
      },
    );
    const { passed } = await run(passTraceContext, byHeader);
    expect(passed.params).toEqual({
      name: 'a',
      _meta: { progressToken: 1, traceparent: PARENT, tracestate: 'a=b' },
    });
    const byMeta = sampleCall('tools/call', { _meta: { traceparent: PARENT, baggage: 'k=v' } });
    expect((await run(passTraceContext, byMeta)).passed.headers).toEqual({ traceparent: PARENT, baggage: 'k=v' });
  });

  it('passes nothing on that cannot stand in an HTTP field', () => {
    const params = { _meta: { traceparent: PARENT, tracestate: 'a=1\r\nx-key: b', baggage: 'k=\u4f60' } };
    expect(contextOf({ params, headers: {} })).toEqual({ traceparent: PARENT });
  });

  it('believes what is about this request rather than what is about the connection', () => {
    const other = PARENT.replace('4bf9', '0000');
    expect(
      contextOf(sampleCall('x', { _meta: { traceparent: PARENT } }, { headers: { traceparent: other } })),
    ).toMatchObject({
      traceparent: PARENT,
    });
    expect(traceIdOf({ _meta: { traceparent: PARENT } })).toBe(TRACE);
    expect(traceIdOf({})).toBeUndefined();
  });
});

/** A tracer that remembers its spans. */
const rememberingTracer = () => {
  const spans: Record<string, unknown>[] = [];
  const startSpan: Tracer['startSpan'] = (name, options, context) => {
    const span: Record<string, unknown> = { name, ...options, context };
    spans.push(span);
    return {
      spanContext: () => ({ traceId: TRACE, spanId: OURS, traceFlags: 1 }),
      setAttributes: (attributes: object) => Object.assign(span, attributes),
      setStatus: (status: object) => Object.assign(span, { status }),
      end: () => Object.assign(span, { ended: true }),
    } as unknown as ReturnType<Tracer['startSpan']>;
  };
  return { spans, tracer: { startSpan } as Tracer };
};

describe('traceCalls', () => {
  it('makes a span of its own, and the server continues it', async () => {
    const { spans, tracer } = rememberingTracer();
    const call = sampleCall(
      'tools/call',
      { arguments: { key: 'canary' } },
      { headers: { traceparent: PARENT, tracestate: 'a=b' } },
    );
    const { passed } = await run(traceCalls(tracer), call);
    const ours = `00-${TRACE}-${OURS}-01`;
    expect(passed.headers).toMatchObject({ traceparent: ours, tracestate: 'a=b' });
    expect(passed.params).toMatchObject({ _meta: { traceparent: ours } });
    expect(spans).toMatchObject([
      {
        name: 'tools/call',
        kind: SpanKind.SERVER,
        ended: true,
        'plugboard.outcome': 'ok',
        'mcp.method.name': 'tools/call',
      },
    ]);
    expect(JSON.stringify(spans)).not.toContain('canary');
    expect(spans[0]).not.toHaveProperty('status');
  });

  it('ends the span of a failure with its code, and of a tool that failed', async () => {
    const { spans, tracer } = rememberingTracer();
    const step = traceCalls(tracer);
    await run(step, sampleCall('tools/call'), async () => ({ isError: true }));
    await run(step, sampleCall('tools/call'), async () => Promise.reject(new Error('secret words')));
    expect(spans.map(({ status, ended }) => [status, ended])).toEqual([
      [{ code: SpanStatusCode.ERROR, message: 'tool_error' }, true],
      [{ code: SpanStatusCode.ERROR, message: 'INTERNAL' }, true],
    ]);
    expect(JSON.stringify(spans)).not.toContain('secret words');
  });
});
