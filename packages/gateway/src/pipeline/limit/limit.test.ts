import { PlugboardError } from '@plugboard/contract';
import type { JsonObject } from '@plugboard/wire';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { McpCall } from '../../call/mcp-call.js';
import { composeSteps } from '../../call/step.js';
import type { Route } from '../../call/route.js';
import { sampleServer, sampleTool } from '../../test-support/catalogue.js';
import { sampleCall } from '../../test-support/mcp-call.js';
import { beginningOf, CUT_META, cutResult } from './size/cut-result.js';
import { limitArguments } from './size/limit-arguments.js';
import type { Limits } from './call-limits.js';
import { CallLimits } from './call-limits.js';
import { limitRates } from './limit-rates.js';
import { limitResults } from './size/limit-results.js';
import { surelyFits } from './size/surely-fits.js';

const server = sampleServer('one', 1);
const other = sampleServer('two', 2);
const routed = (params: JsonObject = {}, name = 'a', to = server): Partial<McpCall> => {
  const tool = sampleTool(to, name);
  const definition = { name };
  const offered = { kind: 'server', name, definition, server: to, tool, upstreamDefinition: definition } as const;
  const route: Route = { kind: 'upstream', server: to, method: 'tools/call', params, tool: offered };
  return { route };
};
const own: Partial<McpCall> = { route: { kind: 'own', answer: () => ({}) } };

const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

describe('surelyFits', () => {
  it('never says yes to what is too large', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 400 }), (value, limit) => {
        expect(surelyFits(value, limit) && bytes(value) > limit).toBe(false);
      }),
    );
  });

  it('says yes to what is small, and looks only so far', () => {
    expect(surelyFits({ a: [1, 'text', null, true] }, 1000)).toBe(true);
    expect(surelyFits(undefined, 1000)).toBe(true);
    expect(
      surelyFits(
        Array.from({ length: 2000 }, () => 1),
        1_000_000,
      ),
    ).toBe(false);
  });
});

describe('cutResult', () => {
  const text = (length: number, letter = 'x') => ({ type: 'text', text: letter.repeat(length) });

  it('leaves alone what fits', () => {
    const result = { content: [text(10)] };
    expect(cutResult(result, 1000)).toBe(result);
  });

  it('cuts text, leaves out what cannot be cut, and says both', () => {
    const result = {
      content: [text(100), text(5000), { type: 'image', data: 'y'.repeat(900), mimeType: 'image/png' }, text(5000)],
      structuredContent: { total: 3 },
      _meta: { mine: 1 },
    };
    const cut = cutResult(result, 2000);
    const content = cut['content'] as { readonly type: string; readonly text: string }[];
    expect(bytes(cut)).toBeLessThanOrEqual(2000 + 200);
    expect(content.map(({ type }) => type)).toEqual(['text', 'text', 'text']);
    expect(content[0]).toEqual(text(100));
    expect(content[2]?.text).toMatch(/\d+ bytes of text were cut off here. 2 parts of the content were left out./u);
    expect(cut).toMatchObject({
      structuredContent: { total: 3 },
      _meta: { mine: 1, [CUT_META]: { bytes: bytes(result), limit: 2000, parts_left_out: 2 } },
    });
  });

  it('refuses a result whose structured content alone is too large', () => {
    const cut = cutResult(
      { resultType: 'complete', content: [text(5)], structuredContent: { a: 'x'.repeat(3000) } },
      2000,
    );
    expect(cut).toMatchObject({ resultType: 'complete', isError: true, _meta: { [CUT_META]: { refused: true } } });
    expect(cut).not.toHaveProperty('structuredContent');
  });

  it('keeps structured content whole or not at all, whatever the result', () => {
    const result = fc.record(
      {
        content: fc.array(fc.record({ type: fc.constantFrom('text', 'image'), text: fc.string({ maxLength: 3000 }) })),
        structuredContent: fc.dictionary(fc.string(), fc.string({ maxLength: 1500 })),
        vendor: fc.jsonValue(),
      },
      { requiredKeys: ['content'] },
    );
    fc.assert(
      fc.property(result, (given) => {
        const cut = cutResult(given, 2000);
        if (cut === given) return;
        expect(cut).toHaveProperty('_meta');
        if ('structuredContent' in cut) expect(cut['structuredContent']).toBe(given.structuredContent);
        else if (given.structuredContent !== undefined) expect(cut['isError']).toBe(true);
      }),
    );
  });
});

describe('beginningOf', () => {
  it('is a beginning of whole characters that takes no more bytes than allowed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(40), (text, max) => {
        const beginning = beginningOf(text, max);
        expect(text.startsWith(beginning)).toBe(true);
        expect(Buffer.byteLength(beginning)).toBeLessThanOrEqual(max);
      }),
    );
    expect(beginningOf('äöü', 3)).toBe('ä');
    expect(beginningOf('abc', 0)).toBe('');
  });
});

describe('limits of sizes', () => {
  const limited = composeSteps([
    limitArguments(100),
    limitResults(1000),
    async () => ({ content: [{ type: 'text', text: 'x'.repeat(5000) }] }),
  ]);

  it('hold for calls of tools', async () => {
    await expect(
      limited(sampleCall('tools/call', {}, routed({ arguments: { a: 'x'.repeat(200) } }))),
    ).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE', details: { limit: 100 } });
    expect(bytes(await limited(sampleCall('tools/call', {}, routed({ arguments: { a: 1 } }))))).toBeLessThan(1300);
    expect(await limited(sampleCall('tools/call', {}, routed()))).toHaveProperty('_meta');
  });

  it('are known to hold for arguments of a message that is small enough', async () => {
    const toJSON = vi.fn(() => ({ a: 'x'.repeat(200) }));
    const params = { arguments: { a: 'x'.repeat(50), toJSON } };
    const send = (bodyBytes: number) => limited({ ...sampleCall('tools/call', params, routed(params)), bodyBytes });
    await send(100);
    expect(toJSON).not.toHaveBeenCalled();
    await expect(send(101)).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
  });

  it('hold for nothing else', async () => {
    const big = { arguments: { a: 'x'.repeat(200) } };
    expect(bytes(await limited(sampleCall('prompts/get', {}, routed(big))))).toBeGreaterThan(5000);
    expect(bytes(await limited(sampleCall('tools/call', big, own)))).toBeGreaterThan(5000);
  });
});

const fakeClock = () => {
  const state = { ms: 0 };
  return { state, clock: { now: () => state.ms, after: () => () => undefined } };
};

describe('limitRates', () => {
  const setUp = (limits: Limits) => {
    const { state, clock } = fakeClock();
    const waiting: (() => void)[] = [];
    const pipeline = composeSteps([
      ...limitRates(new CallLimits({ limits, clock, maxSubjects: 3 })),
      (call) =>
        call.params['wait'] === true
          ? new Promise((resolve) => {
              waiting.push(() => resolve('done'));
            })
          : Promise.resolve('done'),
    ]);
    return { state, waiting, pipeline };
  };
  const callTo = (changes: Partial<McpCall>, params: JsonObject = {}) => sampleCall('tools/call', params, changes);

  it('has no steps without limits', () => {
    expect(limitRates(new CallLimits({ limits: {} }))).toEqual([]);
    expect(limitRates(new CallLimits({ limits: { server: {} } }))).toEqual([]);
  });

  it('counts by tool, and says when to come back', async () => {
    const { state, pipeline } = setUp({ tool: { perMinute: 6 } });
    expect(await pipeline(callTo(routed()))).toBe('done');
    await expect(pipeline(callTo(routed()))).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      retryAfterMs: 10_000,
      details: { limit: 'tool' },
    });
    expect(await pipeline(callTo(routed({}, 'b')))).toBe('done');
    expect(await pipeline(callTo(routed({}, 'a', other)))).toBe('done');
    state.ms = 10_000;
    expect(await pipeline(callTo(routed()))).toBe('done');
  });

  it('holds so many at once by server, and lets the next one in when one has ended', async () => {
    const { waiting, pipeline } = setUp({ server: { concurrent: 1 } });
    const first = pipeline(callTo(routed(), { wait: true }));
    await expect(pipeline(callTo(routed({}, 'b')))).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      retryAfterMs: 1000,
      details: { limit: 'server' },
    });
    expect(await pipeline(callTo(routed({}, 'a', other)))).toBe('done');
    waiting[0]?.();
    expect(await first).toBe('done');
    expect(await pipeline(callTo(routed()))).toBe('done');
  });

  it('counts by caller, whatever is called, and leaves the own answers of the hub alone', async () => {
    const { pipeline } = setUp({ caller: { perMinute: 1 } });
    expect(await pipeline(callTo(routed()))).toBe('done');
    await expect(pipeline(callTo(routed({}, 'b', other)))).rejects.toMatchObject({ details: { limit: 'caller' } });
    const { client } = sampleCall('x');
    const somebody = { ...routed(), client: { ...client, caller: { principal: 'somebody' } } };
    expect(await pipeline(callTo(somebody))).toBe('done');
    expect(await pipeline(callTo(own))).toBe('done');
  });

  it("passes a server's own refusal on as it is", async () => {
    const theirs = new PlugboardError('RATE_LIMITED', 'The server is tired.');
    const [step] = limitRates(new CallLimits({ limits: { server: { concurrent: 5 } } }));
    const refused = step?.(callTo(routed()), () => Promise.reject(theirs));
    await expect(refused).rejects.toBe(theirs);
  });

  it('forgets who was quiet for longest', async () => {
    const { pipeline } = setUp({ tool: { perMinute: 1 } });
    for (const name of ['a', 'b', 'c', 'd', 'a']) expect(await pipeline(callTo(routed({}, name)))).toBe('done');
  });
});
