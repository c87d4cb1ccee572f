import { fakeServer, fakeServerCommand, type FakeServer } from '@plugboard/testing';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { checkTarget } from '../target/target.js';
import type { ClientUnderTest, Fate, FaultyPlace } from './rig/subject.js';
import { runChaos, type ChaosOptions } from './run-chaos.js';

let server: FakeServer;
let url = '';
beforeAll(async () => {
  // Not idempotent, and says so: a second run is a defect.
  server = fakeServer({
    eras: 'modern',
    tools: [
      {
        name: 'mark',
        inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
        annotations: { readOnlyHint: false, idempotentHint: false },
        handler: (args) => String(args['text']),
      },
    ],
  });
  ({ url } = await server.listenHttp());
});
afterAll(() => server.close());

const OPTIONS: ChaosOptions = {
  version: 'test',
  subject: { kind: 'server' },
  budgetMs: 2_000,
  baseEnv: { PATH: process.env['PATH'] ?? '' },
};

const run = (only: readonly string[], options: Partial<ChaosOptions> = {}, target: object = { url }) =>
  runChaos(checkTarget.parse({ ...target, only, seed: 5, load: { call: { tool: 'mark' } } }), {
    ...OPTIONS,
    ...options,
  });

/** A client over fetch, as simple as can be: one request per call, `tries` of them. */
const simpleClient =
  (tries: number, sticks = false) =>
  async (place: FaultyPlace): Promise<ClientUnderTest> => {
    let isBroken = false;
    const post = async (args: unknown): Promise<Fate> => {
      const params = {
        name: 'mark',
        arguments: args,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'simple', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      };
      const response = await fetch('url' in place ? place.url : '', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
          'mcp-name': 'mark',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      });
      const text = await response.text();
      return response.ok && text.includes('"result"') ? { kind: 'answered', text } : { kind: 'failed', why: text };
    };
    return {
      call: async ({ arguments: args }) => {
        let fate: Fate = { kind: 'failed', why: 'closed' };
        for (let left = isBroken ? 0 : tries; left > 0 && fate.kind === 'failed'; left -= 1) {
          fate = await post(args).catch((error: unknown): Fate => ({ kind: 'failed', why: String(error) }));
        }
        if (sticks && fate.kind === 'failed') isBroken = true;
        return fate;
      },
      close: async () => undefined,
    };
  };

describe('the fault suite', () => {
  test('a correct server recovers over HTTP', async () => {
    const report = await run(['RSL-03', 'RSL-05', 'RSL-10', 'RSL-14', 'RSL-18']);
    expect(report.results.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual([
      'RSL-03 pass',
      'RSL-05 pass',
      'RSL-10 pass',
      'RSL-14 not-applicable',
      'RSL-18 not-applicable',
    ]);
    expect(report).toMatchObject({ outcome: 'passed', seed: 5, target: { transport: 'streamable-http' } });
  });

  test('a correct program recovers, also from SIGKILL', async () => {
    const { command, args } = fakeServerCommand({ tools: ['echo'] });
    const target = checkTarget.parse({
      command: [command, ...args],
      only: ['RSL-30', 'RSL-33', 'RSL-34', 'RSL-41'],
      load: { call: { tool: 'echo' } },
    });
    const report = await runChaos(target, OPTIONS);
    expect(report.results.map(({ verdict }) => verdict)).toEqual(['pass', 'pass', 'pass', 'pass']);
  });

  test('a program that starts slowly is not accused after it was killed', async () => {
    const { command, args } = fakeServerCommand({ tools: ['echo'], startDelayMs: 1_500 });
    const target = checkTarget.parse({
      command: [command, ...args],
      only: ['RSL-33'],
      load: { call: { tool: 'echo' } },
    });
    const report = await runChaos(target, { ...OPTIONS, budgetMs: 1_000 });
    expect(report.results.map(({ verdict, detail }) => [verdict, detail])).toEqual([
      ['pass', expect.stringContaining('the next one succeeded')],
    ]);
  });

  test('a client that retries blindly runs a call twice', async () => {
    const open = simpleClient(3);
    const report = await run(['RSL-10', 'RSL-11', 'RSL-05'], { subject: { kind: 'client', open } });
    expect(report.outcome).toBe('failed');
    expect(report.results.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual([
      'RSL-05 fail',
      'RSL-10 pass',
      'RSL-11 fail',
    ]);
    expect(report.results[0]).toMatchObject({
      detail: expect.stringContaining('was sent 2 times') as unknown,
      evidence: {
        reproduce: expect.stringContaining('--era modern --only RSL-05 --seed 5 --budget 2 http') as unknown,
      },
    });
  });

  test('a client that never recovers is found, and the next row is judged by itself', async () => {
    const open = simpleClient(1, true);
    const report = await run(['RSL-10', 'RSL-03'], { subject: { kind: 'client', open }, budgetMs: 500 });
    expect(report.results.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual(['RSL-03 pass', 'RSL-10 fail']);
    expect(report.results[1]?.detail).toContain('No call succeeded within 500 ms');
  });

  test('a client that accepts any id is found', async () => {
    const report = await run(['RSL-40'], { subject: { kind: 'client', open: simpleClient(1) } });
    expect(report.results[0]).toMatchObject({ verdict: 'fail' });
  });

  test('a server over HTTP+SSE recovers from faults on its stream', async () => {
    const legacy = fakeServer({ tools: ['echo'] });
    onTestFinished(() => legacy.close());
    const listener = await legacy.listenSse();
    const only = ['RSL-07', 'RSL-08', 'RSL-11', 'RSL-14', 'RSL-18', 'RSL-20', 'RSL-40', 'RSL-42'];
    const report = await runChaos(
      checkTarget.parse({ url: listener.url, transport: 'sse', only, seed: 5, load: { call: { tool: 'echo' } } }),
      OPTIONS,
    );
    expect(report.target.transport).toBe('sse');
    // HTTP+SSE has no session in a header, so there is no RSL-14.
    expect(report.results.map(({ id, verdict, detail }) => `${id} ${verdict} ${detail ?? ''}`.trim())).toEqual([
      expect.stringMatching(/^RSL-07 pass/u),
      expect.stringMatching(/^RSL-08 pass/u),
      expect.stringMatching(/^RSL-11 pass/u),
      expect.stringMatching(/^RSL-18 pass/u),
      expect.stringMatching(/^RSL-20 pass/u),
      expect.stringMatching(/^RSL-40 pass/u),
      expect.stringMatching(/^RSL-42 pass/u),
    ]);
    expect(report.outcome).toBe('passed');
  });

  test('says why it cannot be run', async () => {
    const nothing = await runChaos(checkTarget.parse({ url }), OPTIONS);
    expect(nothing).toMatchObject({ outcome: 'not-examined', reason: expect.stringContaining('--tool') as unknown });
    const { signal } = new AbortController();
    const dead = await run([], { signal }, { url: 'http://127.0.0.1:9/mcp' });
    expect(dead.outcome).toBe('unreachable');
  });
});
