import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRealHub, type RealHub } from '../../support/real-hub.js';
import { ownerFetch } from '../../support/hub-keys.js';

const JSON_TYPE = { 'content-type': 'application/json' };

describe('health-only services of a hub', () => {
  let hub: RealHub;
  let vision: Server;
  let visionUrl: string;
  let status = 200;

  beforeAll(async () => {
    vision = createServer((_request, response) => response.writeHead(status).end('{}')).listen(0, '127.0.0.1');
    await once(vision, 'listening');
    visionUrl = `http://127.0.0.1:${(vision.address() as AddressInfo).port}/health`;
    hub = await startRealHub();
  });
  afterAll(async () => {
    await hub?.close();
    vision?.close();
  });

  const register = (body: object): Promise<Response> =>
    ownerFetch(`${hub.url}/v1/services`, { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(body) });
  const ready = async (): Promise<{ status: string; services: Record<string, { state: string; reason?: string }> }> =>
    (await (await fetch(`${hub.url}/ready`)).json()) as never;

  it('appear in /ready and /metrics', async () => {
    expect((await register({ name: 'vision', url: visionUrl })).status).toBe(201);
    expect(await ready()).toMatchObject({ status: 'ready', services: { vision: { state: 'up' } } });
    expect(await (await fetch(`${hub.url}/metrics`)).text()).toContain('plugboard_service_up{service="vision"} 1');
  });

  it('do not make the hub unready when they are down', async () => {
    status = 500;
    await register({ name: 'broken', url: visionUrl });
    await register({ name: 'gone', url: 'http://127.0.0.1:9/health' });
    const { status: of, services } = await ready();
    expect(of).toBe('ready');
    expect(services).toMatchObject({
      broken: { state: 'down', reason: 'It answered 500.' },
      gone: { state: 'down', reason: 'Nothing responds at its address.' },
    });
    expect(await (await fetch(`${hub.url}/metrics`)).text()).toContain('plugboard_service_up{service="gone"} 0');
  });

  it.each([
    ['a name that is taken', { name: 'vision', url: 'http://127.0.0.1:9/' }, 409],
    ['an address with a password', { name: 'other', url: 'http://user:word@127.0.0.1:9/' }, 422],
    ['an address that is none', { name: 'other', url: 'vision' }, 422],
    ['a rhythm that is none', { name: 'other', url: 'http://127.0.0.1:9/', interval_seconds: 0 }, 422],
  ])('refuses %s', async (_what, body, code) => {
    expect((await register(body)).status).toBe(code);
  });

  it('are reached only where the policy allows', async () => {
    const answer = await register({ name: 'metadata', url: 'http://169.254.169.254/latest' });
    expect(await answer.json()).toMatchObject({ status: { state: 'down', http_status: null } });
  });

  it('are forgotten', async () => {
    expect((await ownerFetch(`${hub.url}/v1/services/vision`, { method: 'DELETE' })).status).toBe(204);
    expect((await ownerFetch(`${hub.url}/v1/services/vision`)).status).toBe(404);
    expect((await ready()).services).not.toHaveProperty('vision');
  });
});
