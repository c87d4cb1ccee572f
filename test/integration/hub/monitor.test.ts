import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorHistory, monitoredServer, monitorView, type MonitoredServer } from '@plugboard/contract';
import { deadPort, fakeServer, fakeServerCommand } from '@plugboard/testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { DEFAULT_MONITOR, type MonitorSettings } from '../../../packages/plugboard/src/settings/monitor-settings.js';
import { startRealHub, type RealHub } from '../../support/real-hub.js';

const ask = async (hub: RealHub, path: string, init: RequestInit = {}): Promise<unknown> => {
  const headers = { authorization: `Bearer ${hub.key}`, 'content-type': 'application/json' };
  const response = await fetch(`${hub.url}${path}`, { ...init, headers });
  return await response.json();
};

const register = (hub: RealHub, server_name: string, config: object): Promise<unknown> =>
  ask(hub, '/v1/mcp-servers', { method: 'POST', body: JSON.stringify({ server_name, config }) });

const startHub = async (monitor: Partial<MonitorSettings>, home?: string): Promise<RealHub> => {
  const settings = { monitor: { ...DEFAULT_MONITOR, ...monitor }, ...(home === undefined ? {} : { home }) };
  return await startRealHub({ settings });
};

const serverOf = async (hub: RealHub, name: string): Promise<MonitoredServer | undefined> =>
  monitorView.parse(await ask(hub, '/v1/monitor')).servers.find(({ server_name }) => server_name === name);

describe('the monitor of a hub', () => {
  it('probes on its schedule, keeps its history over a restart, and stops at once', async () => {
    const home = await mkdtemp(join(tmpdir(), 'plugboard-monitor-'));
    onTestFinished(() => rm(home, { recursive: true, force: true }));
    const hub = await startHub(
      { enabled: true, intervalMs: 500, canaries: { fake: { tool: 'echo', arguments: { text: 'hi' } } } },
      home,
    );
    const { command, args } = fakeServerCommand({ tools: ['echo'] });
    await register(hub, 'fake', { mcp_server_type: 'stdio', command, args });
    await register(hub, 'gone', { mcp_server_type: 'streamable_http', server_url: (await deadPort()).url });
    await vi.waitFor(async () => expect((await serverOf(hub, 'gone'))?.state).toBe('down'), 20_000);
    await vi.waitFor(async () => expect((await serverOf(hub, 'fake'))?.probes).toBeGreaterThan(1), 20_000);
    const fake = await serverOf(hub, 'fake');
    expect(fake).toMatchObject({ state: 'up', availability: 1, drift: null });
    expect(fake?.series.map(({ method, tool }) => `${method} ${tool ?? ''}`.trim())).toEqual([
      'handshake',
      'tools/call echo',
      'tools/list',
    ]);
    const metrics = await fetch(`${hub.url}/metrics`, { headers: { authorization: `Bearer ${hub.key}` } });
    expect(await metrics.text()).toContain('plugboard_monitor_up{server="fake"} 1');
    await hub.stop(1_000);

    const again = await startHub({}, home);
    onTestFinished(() => again.close());
    const remembered = await serverOf(again, 'fake');
    expect(remembered?.probes).toBeGreaterThanOrEqual(fake?.probes ?? 0);
    const { buckets } = monitorHistory.parse(await ask(again, '/v1/monitor/fake/history?hours=1&bucket_minutes=60'));
    expect(buckets.map(({ method }) => method)).toContain('tools/list');
  });

  it('probes nothing by itself when it is off, and on request whenever asked', async () => {
    const server = fakeServer({ tools: ['echo'] });
    onTestFinished(() => server.close());
    const hub = await startHub({});
    onTestFinished(() => hub.close());
    await register(hub, 'fake', { mcp_server_type: 'streamable_http', server_url: (await server.listenHttp()).url });
    expect(await serverOf(hub, 'fake')).toMatchObject({ state: 'unknown', probes: 0 });
    const probed = monitoredServer.parse(await ask(hub, '/v1/monitor/fake/probe', { method: 'POST' }));
    expect(probed).toMatchObject({ state: 'up', probes: 1, certificate: null });
    expect(await ask(hub, '/v1/monitor/nobody/probe', { method: 'POST' })).toMatchObject({
      error: { code: 'SERVER_NOT_FOUND' },
    });
  });
});
