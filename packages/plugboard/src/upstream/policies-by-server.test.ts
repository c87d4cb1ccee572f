import { createServerPolicies, McpTimeoutError } from '@plugboard/client';
import type { Server } from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import { PoliciesByServer } from './policies-by-server.js';

const AT = '2026-11-01T00:00:00.000Z';
const serverOf = (seed: number, command = 'node'): Server => ({
  id: `mcp_server-00000000-0000-4000-8000-00000000000${seed}`,
  server_name: `s${seed}`,
  config: { mcp_server_type: 'stdio', command, args: [] },
  enabled: true,
  protocol: null,
  last_sync: null,
  created_at: AT,
  updated_at: AT,
});

const policiesBy = (): PoliciesByServer => new PoliciesByServer(() => createServerPolicies());
const context = { serverName: 's1', method: 'tools/call', attempt: 1, signal: new AbortController().signal };
const failing = (): Promise<never> => Promise.reject(new McpTimeoutError('UPSTREAM_TIMEOUT', 'too slow', {}));

describe('PoliciesByServer', () => {
  it('has one circuit for all connections of a server, and others for other servers', async () => {
    const byServer = policiesBy();
    for (let connection = 0; connection < 5; connection += 1) {
      await expect(byServer.of({ ...serverOf(1) }).call(context, failing)).rejects.toThrow('too slow');
    }
    await expect(byServer.of(serverOf(1)).call(context, failing)).rejects.toMatchObject({ code: 'CIRCUIT_OPEN' });
    expect(byServer.load(serverOf(1).id)).toMatchObject({
      circuit: 'open',
      retry_after_ms: expect.any(Number) as number,
    });
    expect(byServer.load(serverOf(2).id)).toEqual({ circuit: 'closed', calls_running: 0, calls_queued: 0 });
    expect(await byServer.of(serverOf(2)).call(context, () => Promise.resolve('fine'))).toBe('fine');
  });

  it('begins anew with another config, and forgets servers that are gone', () => {
    const byServer = policiesBy();
    const before = byServer.of(serverOf(1));
    expect(byServer.of(serverOf(1))).toBe(before);
    const repaired = byServer.of(serverOf(1, 'python'));
    expect(repaired).not.toBe(before);
    byServer.retain(new Set([serverOf(2).id]));
    expect(byServer.of(serverOf(1, 'python'))).not.toBe(repaired);
  });

  it('counts what runs', async () => {
    const byServer = policiesBy();
    let finish: (text: string) => void = () => undefined;
    const done = new Promise<string>((resolve) => (finish = resolve));
    const running = byServer.of(serverOf(1)).attempt(context, () => done);
    await expect.poll(() => byServer.load(serverOf(1).id).calls_running).toBe(1);
    finish('done');
    await running;
    expect(byServer.load(serverOf(1).id).calls_running).toBe(0);
  });
});
