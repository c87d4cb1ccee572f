import type { HealthServiceView } from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import { runFake } from '../../test-support/run-fake.js';

const up: HealthServiceView = {
  name: 'vision',
  url: 'http://127.0.0.1:7072/health',
  interval_seconds: 30,
  created_at: '2026-11-01T00:00:00.000Z',
  status: { state: 'up', checked_at: '2026-11-01T00:00:01.000Z', latency_ms: 12.4, http_status: 200, reason: null },
};
const down: HealthServiceView = {
  ...up,
  name: 'mail',
  status: { ...up.status, state: 'down', latency_ms: 3, http_status: 503, reason: 'It answered 503.' },
};
const unknown: HealthServiceView = {
  ...up,
  name: 'new',
  status: { state: 'unknown', checked_at: null, latency_ms: null, http_status: null, reason: null },
};

const run = (argv: readonly string[], answer: unknown, path = '/v1/services') =>
  runFake(['service', ...argv], { answers: { [path]: answer } });

describe('plugboard service', () => {
  it('registers a service and says how it is', async () => {
    const { code, stdout, hub } = await run(['add', 'vision', up.url, '--every', '60'], up);
    expect([code, stdout.trim()]).toEqual([0, 'vision is registered: up, 12 ms']);
    expect(hub.seen.at(-1)).toMatchObject({
      method: 'POST',
      body: { name: 'vision', url: up.url, interval_seconds: 60 },
    });
  });

  it('lists services, and fails when one is down', async () => {
    const { code, stdout } = await run(['list'], [up, down, unknown]);
    for (const words of ['up, 12 ms', 'down: It answered 503.', 'not asked yet']) expect(stdout).toContain(words);
    expect(code).toBe(1);
    expect((await run(['list'], [up])).code).toBe(0);
    expect((await run(['list'], [])).stderr).toContain('service add');
    expect((await run(['list', '--quiet'], [up, unknown])).stdout).toBe('vision\nnew\n');
  });

  it('forgets a service', async () => {
    const { stdout, hub } = await run(['remove', 'vision'], null, '/v1/services/vision');
    expect(stdout).toContain('no longer monitored');
    expect(hub.seen.at(-1)).toMatchObject({ method: 'DELETE', path: '/v1/services/vision' });
  });

  it('refuses a rhythm that is none, and an answer of another shape', async () => {
    expect((await run(['add', 'vision', up.url, '--every', '1'], up)).code).toBe(2);
    expect((await run(['list'], [{ odd: true }])).stderr).toContain('unknown shape');
  });
});
