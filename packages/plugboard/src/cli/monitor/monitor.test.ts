import { type MonitorView, PlugboardError } from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import { runFake } from '../../test-support/run-fake.js';
import { aServer } from '../../test-support/shapes.js';

const files = aServer({ server_name: 'files', config: { mcp_server_type: 'stdio', command: 'node', args: [] } });

const figures = { mean_ms: 5, min_ms: 1, max_ms: 9.5, p50_ms: 5, p95_ms: 9, p99_ms: 9.4, errors: {} };

const view = (members: Partial<MonitorView['servers'][number]> = {}): MonitorView => ({
  enabled: true,
  interval_seconds: 60,
  window_seconds: 86_400,
  objective: 0.99,
  servers: [
    {
      server_id: files.id,
      server_name: 'files',
      state: 'up',
      reason: null,
      checked_at: '2026-01-02T03:04:05.000Z',
      probes: 1_440,
      availability: 0.9993,
      burn: { hour: 0, six_hours: 0.1 },
      budget_left: 0.93,
      series: [{ method: 'tools/call', tool: 'list', count: 1_440, failed: 1, success_rate: 0.9993, ...figures }],
      drift: null,
      certificate: { expires_at: '2026-01-12T00:00:00.000Z', days_left: 9 },
      token: null,
      ...members,
    },
  ],
  alerts: [
    { at: '2026-01-02T03:04:05.000Z', kind: 'up', server_id: files.id, server_name: 'files', message: 'It is back.' },
  ],
});

const monitor = (answer: unknown, ...argv: readonly string[]) =>
  runFake(['monitor', ...argv], {
    servers: [files],
    answers: { '/v1/monitor': answer, '/v1/monitor/files/probe': view().servers[0] },
  });

describe('monitor', () => {
  it('shows servers, latencies and alerts', async () => {
    const { code, stdout } = await monitor(view());
    expect(code).toBe(0);
    expect(stdout).toMatch(/files +up +99\.93 % +1440 +0\.0× +certificate: 9 days left/u);
    expect(stdout).toMatch(/files +tools\/call list +1440 +99\.93 % +5\.0 +1\.0 +5\.0 +9\.0 +9\.4 +9\.5/u);
    expect(stdout).toContain('files: It is back.');
  });

  it('exits with 1 when a server is down, and gives everything as JSON', async () => {
    const { code, json } = await monitor(view({ state: 'down', reason: 'No answer.' }), '--json', 'files');
    expect([code, json()]).toEqual([1, view({ state: 'down', reason: 'No answer.' })]);
  });

  it('probes on request', async () => {
    const { hub } = await monitor(view(), '--probe', '--once');
    expect(hub.seen.map(({ method, path }) => `${method} ${path}`)).toContain('POST /v1/monitor/files/probe');
  });

  it('keeps the last view on the screen while the hub cannot be reached, until Ctrl-C', async () => {
    const stop = new AbortController();
    let looks = 0;
    const answer = () => {
      looks += 1;
      if (looks === 2) throw new PlugboardError('HUB_UNREACHABLE', 'The hub is restarting.');
      if (looks === 3) setTimeout(() => stop.abort(), 20);
      return view();
    };
    const { code, stdout } = await runFake(
      ['monitor', '--every', '0.5'],
      { servers: [files], answers: { '/v1/monitor': answer } },
      { columns: 120, signal: stop.signal },
    );
    const screens = stdout.split('Ctrl-C ends it.');
    expect(code).toBe(0);
    expect(screens.length).toBeGreaterThan(3);
    expect(screens[1]).toContain('files');
    expect(screens[1]).toContain('The hub is restarting.');
    expect(screens[2]).not.toContain('restarting');
    expect(stdout.endsWith('\u001B[?25h')).toBe(true);
  });

  it('says how to turn probes on', async () => {
    expect((await monitor({ ...view(), enabled: false })).stdout).toContain('Scheduled probes are off.');
    expect((await monitor({ ...view(), servers: [] })).stderr).toContain('No servers are registered yet.');
  });
});
