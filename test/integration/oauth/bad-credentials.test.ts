import { once } from 'node:events';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FakeServer } from '@plugboard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callEcho, type ErrorAnswer, SERVER_NAME } from '../../support/echo-call.js';
import { hubCallWith } from '../../support/hub-call.js';
import { type RealHub, startRealHub } from '../../support/real-hub.js';

type Fault = 'invalid' | 'expired' | 'revoked';

/** What servers say in front of credentials that are no good. */
const CHALLENGES: Readonly<Record<Fault, string>> = {
  invalid: 'Bearer error="invalid_token"',
  expired: 'Bearer error="invalid_token", error_description="The access token expired"',
  revoked: 'Bearer error="invalid_token", error_description="The token was revoked"',
};
const CODES: Readonly<Record<Fault, string>> = {
  invalid: 'UPSTREAM_AUTH',
  expired: 'UPSTREAM_AUTH_EXPIRED',
  revoked: 'UPSTREAM_AUTH_REVOKED',
};

/** How a credential travels, and the config that makes it. */
const WAYS = {
  'a bearer token': {
    header: 'authorization',
    sent: (secret: string) => `Bearer ${secret}`,
    config: (secret: string) => ({ auth_token: secret }),
  },
  'a header': {
    header: 'x-api-key',
    sent: (secret: string) => secret,
    config: (secret: string) => ({ auth_header: 'X-API-Key', auth_token: secret }),
  },
  'a custom header': {
    header: 'x-tenant-key',
    sent: (secret: string) => secret,
    config: (secret: string) => ({ custom_headers: { 'X-Tenant-Key': secret } }),
  },
} as const;

/** What the server accepts now, and what it says to everything else. */
const gate = { header: '', value: '', fault: 'invalid' as Fault };
let hub: RealHub;
let url: string;
const closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const inner = await new FakeServer({ tools: ['echo'] }).listenHttp();
  const server = createServer((request, response) => {
    if (request.headers[gate.header] !== gate.value) {
      request.resume();
      response.writeHead(401, { 'www-authenticate': CHALLENGES[gate.fault] }).end();
      return;
    }
    const target = new URL(inner.url);
    const options = { method: request.method, headers: { ...request.headers, host: target.host } };
    const passed = forward(target, options, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    request.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  hub = await startRealHub();
  closing.push(
    () => hub.close(),
    async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
    () => inner.close(),
  );
});
afterAll(async () => {
  for (const close of closing) await close();
});

interface Registered {
  readonly id: string;
  readonly sync: { readonly error?: ErrorAnswer };
}

const rows = Object.keys(WAYS).flatMap((way) =>
  Object.keys(CODES).map((fault) => [fault as Fault, way as keyof typeof WAYS] as const),
);

describe('credentials of a server', () => {
  it.each(rows)(
    'that are %s as %s have a code and a hint of their own, and recover without a restart',
    async (fault, way) => {
      const { header, sent, config } = WAYS[way];
      const ask = hubCallWith(hub.url, hub.key);
      const secret = (generation: number): string => `canary-${fault}-${header}-${generation}`;
      Object.assign(gate, { header, value: sent(secret(1)), fault });
      const server = { mcp_server_type: 'streamable_http', server_url: url, ...config(secret(1)) };
      const { json } = await ask('POST', '/v1/mcp-servers', { server_name: SERVER_NAME, config: server });
      const { id, sync } = json as Registered;
      expect(sync.error).toBeUndefined();
      expect(await callEcho(hub.url, 'before')).toMatchObject({ text: 'before' });

      // The server wants another credential from now on.
      gate.value = sent(secret(2));
      const { error } = await callEcho(hub.url, 'refused');
      expect(error).toMatchObject({ code: CODES[fault], hint: expect.stringContaining('token') as string });
      expect(JSON.stringify(error)).not.toContain('canary');

      // Mended on the side of the hub: the next call has the new one.
      const change = { mcp_server_type: 'streamable_http', ...config(secret(2)) };
      expect((await ask('PATCH', `/v1/mcp-servers/${id}`, { config: change })).status).toBe(200);
      expect(await callEcho(hub.url, 'repaired')).toMatchObject({ text: 'repaired' });

      // Mended on the side of the server: the same credential is good again.
      gate.value = sent(secret(3));
      expect((await callEcho(hub.url, 'refused')).error?.code).toBe(CODES[fault]);
      gate.value = sent(secret(2));
      expect(await callEcho(hub.url, 'good again')).toMatchObject({ text: 'good again' });
      await ask('DELETE', `/v1/mcp-servers/${id}`);
    },
  );

  it('each fault has another hint', async () => {
    const hints = new Set<string | undefined>();
    const ask = hubCallWith(hub.url, hub.key);
    for (const fault of Object.keys(CODES) as readonly Fault[]) {
      Object.assign(gate, { header: 'authorization', value: 'nothing', fault });
      const config = { mcp_server_type: 'streamable_http', server_url: url, auth_token: 'x' };
      const { json } = await ask('POST', '/v1/mcp-servers', { server_name: fault, config });
      hints.add((json as Registered).sync.error?.hint);
    }
    expect(hints.size).toBe(3);
  });
});
