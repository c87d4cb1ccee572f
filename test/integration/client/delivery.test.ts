/// <reference lib="esnext.disposable" />
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchProcess, McpClient, type LaunchedProcess } from '@plugboard/client';
import {
  fakeServer,
  fakeServerCommand,
  readCounter,
  readCounterKeys,
  type CrashPhase,
  type FakeServerOptions,
} from '@plugboard/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allRigs, isModern, isStdio, openRig, textOf } from './rig.js';

const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(() => undefined).catch((error: unknown) => error);

const counterTwins: FakeServerOptions['tools'] = [
  'counter',
  { name: 'safe', handler: 'counter', annotations: { readOnlyHint: true } },
  { name: 'same', handler: 'counter', annotations: { idempotentHint: true } },
];

describe.each(allRigs)('a link that breaks after the request was sent, over %s', (kind) => {
  const cut = (when: 'before-handler' | 'after-handler') =>
    isStdio(kind)
      ? { crash: when === 'before-handler' ? 'after-read' : 'while-working' }
      : { cut: true, afterHandler: when === 'after-handler' };

  test.each(['before-handler', 'after-handler'] as const)(
    '%s: a call that may not run twice is not repeated',
    async (when) => {
      await using rig = await openRig(kind, { server: { tools: counterTwins } });
      await rig.client.listTools();
      rig.server.script
        .on('tools/call')
        .first()
        .play(cut(when) as object);
      const failure = await failureOf(rig.client.callTool('counter'));
      expect(failure).toMatchObject({ code: 'AMBIGUOUS_DELIVERY', kind: 'ambiguous-delivery', delivery: 'ambiguous' });
      expect(rig.server.counters.toolsCall).toBe(1);
      expect(rig.server.counters.executed('counter')).toBeLessThanOrEqual(1);
      expect(textOf(await rig.client.callTool('counter'))).toMatch(/^\d$/u);
    },
  );

  test.each(['safe', 'same'])('the tool "%s" is repeated', async (tool) => {
    await using rig = await openRig(kind, { server: { tools: counterTwins } });
    await rig.client.listTools();
    rig.server.script
      .on('tools/call')
      .first()
      .play(cut('before-handler') as object);
    expect(textOf(await rig.client.callTool(tool))).toBe('1');
    expect(rig.server.counters.toolsCall).toBe(2);
  });

  test('a call with an idempotency key is repeated with the same key', async () => {
    await using rig = await openRig(kind, { server: { tools: counterTwins } });
    rig.server.script
      .on('tools/call')
      .first()
      .play(cut('before-handler') as object);
    expect(textOf(await rig.client.callTool('counter', {}, { idempotencyKey: 'order-7' }))).toBe('1');
    const calls = rig.server.log.of('tools/call');
    expect(calls.map(({ params }) => params['_meta'])).toEqual([
      expect.objectContaining({ 'dev.plugboard/idempotencyKey': 'order-7' }),
      expect.objectContaining({ 'dev.plugboard/idempotencyKey': 'order-7' }),
    ]);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
  });

  test('lists are repeated, as often as allowed and no more', async () => {
    await using rig = await openRig(kind, { client: { maxRetries: 3 } });
    await rig.client.connect();
    rig.server.script
      .on('tools/list')
      .first(3)
      .play(cut('before-handler') as object);
    expect(await rig.client.listTools()).not.toHaveLength(0);
    rig.server.script.clear();
    rig.server.log.clear();
    rig.server.script
      .on('tools/list')
      .always()
      .play(cut('before-handler') as object);
    const failure = await failureOf(rig.client.listTools());
    expect(failure).toMatchObject({ code: isStdio(kind) ? 'PROCESS_EXITED' : 'UPSTREAM_CLOSED' });
    expect((failure as { attempts: readonly unknown[] }).attempts).toHaveLength(4);
    expect(rig.server.log.count('tools/list')).toBe(4);
  });
});

describe('certainly not executed', () => {
  test('a refused connection is tried again once', async () => {
    const server = fakeServer({ tools: ['counter'] });
    const { url, port } = await server.listenHttp();
    let connections = 0;
    await using client = new McpClient({
      config: { mcp_server_type: 'streamable_http', server_url: url },
      onEvent: (event) => {
        connections += event.type === 'retry' ? 1 : 0;
      },
    });
    await client.callTool('counter');
    await server.close();
    expect(await failureOf(client.callTool('counter'))).toMatchObject({
      code: 'UPSTREAM_REFUSED',
      delivery: 'not-executed',
      attempts: [{ code: 'UPSTREAM_REFUSED' }, { code: 'UPSTREAM_REFUSED' }],
    });
    expect(connections).toBe(1);
    await using second = fakeServer({ tools: ['counter'] });
    await second.listenHttp({ port });
    expect(textOf(await client.callTool('counter'))).toBe('1');
  });

  test('a 401 that a refresh cures is sent again, and counts as one attempt', async () => {
    await using server = fakeServer({ tools: ['counter'], requireHeaders: { authorization: 'Bearer fresh' } });
    const { url } = await server.listenHttp();
    let token = 'stale';
    const challenges: (string | undefined)[] = [];
    await using client = new McpClient({
      config: { mcp_server_type: 'streamable_http', server_url: url },
      credentials: {
        headers: async () => ({ authorization: `Bearer ${token}` }),
        refresh: async (challenge) => {
          challenges.push(challenge);
          token = 'fresh';
          return true;
        },
      },
    });
    expect(textOf(await client.callTool('counter'))).toBe('1');
    expect(challenges).toHaveLength(1);
  });

  test('a 401 that nothing cures is an auth error at once', async () => {
    await using server = fakeServer({ tools: ['counter'], requireHeaders: { 'x-api-key': 'right' } });
    const { url } = await server.listenHttp();
    await using client = new McpClient({
      config: {
        mcp_server_type: 'streamable_http',
        server_url: url,
        auth_header: 'X-API-Key',
        auth_token: 'wrong-secret',
        custom_headers: { 'X-Other': 'other-secret' },
      },
    });
    const failure = await failureOf(client.callTool('counter'));
    expect(failure).toMatchObject({ code: 'UPSTREAM_AUTH', kind: 'auth', delivery: 'not-executed', attempts: [] });
    expect(JSON.stringify(failure)).not.toContain('secret');
  });

  test('429 is retried after the time that the server asked for', async () => {
    await using rig = await openRig('legacy streamable HTTP');
    rig.server.script.on('tools/call').first().respondStatus(429, undefined, { 'retry-after': '1' });
    expect(textOf(await rig.client.callTool('counter'))).toBe('1');
    expect(rig.server.counters.toolsCall).toBe(2);
  });

  test('429 carries the time to wait when no retry is allowed', async () => {
    await using rig = await openRig('legacy streamable HTTP', { client: { maxRetries: 0 } });
    rig.server.script.on('tools/call').always().respondStatus(429, undefined, { 'retry-after': '7' });
    expect(await failureOf(rig.client.callTool('counter'))).toMatchObject({
      code: 'RATE_LIMITED',
      kind: 'rate-limited',
      delivery: 'not-executed',
      retryAfterMs: 7_000,
    });
    expect(rig.server.counters.toolsCall).toBe(1);
  });
});

const PHASES: readonly CrashPhase[] = ['before-read', 'after-read', 'while-working', 'after-result'];

describe('a counter in a real process', () => {
  const scratch = (): Disposable & { readonly file: string } => {
    const folder = mkdtempSync(join(tmpdir(), 'plugboard-delivery-'));
    return {
      file: join(folder, 'count'),
      [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
    };
  };

  const startClient = (
    file: string,
    script: FakeServerOptions['script'] = [],
    onLaunch: (child: LaunchedProcess) => void = () => undefined,
  ): McpClient => {
    const { command, args } = fakeServerCommand({
      tools: [{ name: 'counter', handler: 'counter', settings: { file } }, 'sleep'],
      script,
    });
    return new McpClient({
      config: { mcp_server_type: 'stdio', command, args: [...args] },
      remembered: { era: 'legacy', revision: '2025-11-25', transport: 'stdio', checked_at: '2026-01-01T00:00:00Z' },
      launch: async (spec, options) => {
        const child = await launchProcess(spec, options);
        onLaunch(child);
        return child;
      },
      launchOptions: { grace: { stdinMs: 500, termMs: 500 } },
    });
  };

  test.each(PHASES)('that dies %s is never executed twice for one call', async (phase) => {
    using counted = scratch();
    await using client = startClient(counted.file, [{ on: 'tools/call', from: 1, to: 1, fault: { crash: phase } }]);
    let answered = 0;
    for (let call = 1; call <= 2; call += 1) {
      const outcome = await client.callTool('counter', { key: `call-${call}` }).catch((error: unknown) => error);
      if (outcome instanceof Error) {
        expect(outcome).toMatchObject({ code: 'AMBIGUOUS_DELIVERY', details: { reason: 'PROCESS_EXITED' } });
      } else {
        answered += 1;
      }
      expect(readCounter(counted.file)).toBeLessThanOrEqual(call);
    }
    expect(readCounter(counted.file)).toBeGreaterThanOrEqual(answered);
  });

  test('killed at random times is never executed twice for one call', async () => {
    using counted = scratch();
    let child: LaunchedProcess | undefined;
    await using client = startClient(counted.file, [], (launched) => {
      child = launched;
    });
    await client.callTool('counter', { key: 'warm' });
    await fc.assert(
      fc.asyncProperty(fc.uuid(), fc.integer({ min: 0, max: 6_000 }), async (key, delayMicros) => {
        const call = client.callTool('counter', { key }).catch((error: unknown) => error);
        const until = performance.now() + delayMicros / 1_000;
        await new Promise((resolve) => setImmediate(resolve));
        while (performance.now() < until) {
          await new Promise((resolve) => setImmediate(resolve));
        }
        const victim = child;
        if (victim !== undefined) process.kill(victim.pid, 'SIGKILL');
        const outcome = await call;
        await victim?.exited;
        const runs = readCounterKeys(counted.file).filter((seen) => seen === key).length;
        expect(runs).toBeLessThanOrEqual(1);
        if (!(outcome instanceof Error)) expect(runs).toBe(1);
      }),
      { numRuns: 25, endOnFailure: true },
    );
  });
});

describe.each([
  'legacy streamable HTTP',
  'legacy HTTP+SSE',
  'modern streamable HTTP',
  'modern streamable HTTP, SSE answers',
] as const)('a counter behind %s', (kind) => {
  test('that is cut and restarted at random times is never executed twice for one call', async () => {
    const modern = isModern(kind);
    const options: FakeServerOptions = {
      eras: modern ? 'modern' : 'legacy',
      tools: ['counter'],
      answers: kind.includes('SSE answers') ? 'sse' : 'auto',
    };
    await using server = fakeServer(options);
    const keys: unknown[] = [];
    server.setTools([
      {
        name: 'counter',
        handler: (args) => {
          keys.push(args['key']);
          return 'counted';
        },
      },
    ]);
    const open = (port?: number) => {
      const listening = port === undefined ? {} : { port };
      return kind === 'legacy HTTP+SSE' ? server.listenSse(listening) : server.listenHttp(listening);
    };
    let listener = await open();
    await using client = new McpClient({
      config: { mcp_server_type: kind === 'legacy HTTP+SSE' ? 'sse' : 'streamable_http', server_url: listener.url },
    });
    await client.connect();
    await fc.assert(
      fc.asyncProperty(fc.uuid(), fc.integer({ min: 0, max: 40 }), fc.boolean(), async (key, turns, forget) => {
        const call = client.callTool('counter', { key }).catch((error: unknown) => error);
        for (let turn = 0; turn < turns; turn += 1) {
          await new Promise((resolve) => setImmediate(resolve));
        }
        await listener.close();
        if (forget) server.dropSessions();
        listener = await open(listener.port);
        const outcome = await call;
        const runs = keys.filter((seen) => seen === key).length;
        expect(runs).toBeLessThanOrEqual(1);
        if (!(outcome instanceof Error)) expect(runs).toBe(1);
      }),
      { numRuns: 60, endOnFailure: true },
    );
  });
});
