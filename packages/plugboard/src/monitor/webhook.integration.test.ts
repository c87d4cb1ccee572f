import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MonitorAlert } from '@plugboard/contract';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Webhook } from './webhook.js';

const alert = (message: string): MonitorAlert => ({
  at: '2026-01-02T03:04:05.000Z',
  kind: 'down',
  server_id: 'mcp_server-00000000-0000-4000-8000-000000000001',
  server_name: 'files',
  message,
});

/** Receives alerts; answers with these statuses, the last one for all that follow. */
const receiver = async (statuses: readonly number[]) => {
  const got: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      response.statusCode = statuses[got.length] ?? statuses.at(-1) ?? 200;
      got.push({ headers: request.headers, body: Buffer.concat(chunks).toString('utf8') });
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, got };
};

describe('the webhook', () => {
  it('sends alerts in order, signed', async () => {
    const { url, got } = await receiver([200]);
    const hook = new Webhook({ url, secret: 'a secret of the operator', onFailure: () => undefined });
    onTestFinished(() => hook.close());
    hook.send(alert('one'));
    hook.send(alert('two'));
    await vi.waitFor(() => expect(got).toHaveLength(2), 20_000);
    expect(got.map(({ body }) => (JSON.parse(body) as MonitorAlert).message)).toEqual(['one', 'two']);
    const [{ headers, body } = { headers: {}, body: '' }] = got;
    const expected = createHmac('sha256', 'a secret of the operator').update(body).digest('hex');
    expect(headers['x-plugboard-signature']).toBe(`sha256=${expected}`);
  });

  it('tries again when the receiver refuses, and gives up after the last attempt', async () => {
    const { url, got } = await receiver([500, 200, 503, 503]);
    const failures: string[] = [];
    const hook = new Webhook({ url, secret: undefined, pausesMs: [1], onFailure: (reason) => failures.push(reason) });
    onTestFinished(() => hook.close());
    hook.send(alert('one'));
    hook.send(alert('two'));
    await vi.waitFor(() => expect(failures).toEqual(['The receiver answered 503.']), 20_000);
    expect(got).toHaveLength(4);
  });

  it('ends at once when the hub stops', async () => {
    const hook = new Webhook({ url: 'http://127.0.0.1:1/', secret: undefined, onFailure: () => undefined });
    hook.send(alert('one'));
    await hook.close();
    hook.send(alert('two'));
    await expect(hook.close()).resolves.toBeUndefined();
  });
});
