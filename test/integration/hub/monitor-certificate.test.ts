import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import { createUrlGuard } from '@plugboard/client';
import { deadPort } from '@plugboard/testing';
import { expect, it, onTestFinished } from 'vitest';
import { certificateExpiry } from '../../../packages/plugboard/src/monitor/certificate.js';
import { testCertificate, testKey } from '../client/test-certificate.js';

const urls = createUrlGuard({ mode: 'deny-private', loopback: 'allow' });

it('the certificate of an https server is read, whoever signed it', async () => {
  const server = createServer({ cert: testCertificate, key: testKey });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  for (const host of ['127.0.0.1', 'localhost']) {
    const expiry = await certificateExpiry(`https://${host}:${port}/mcp`, urls, AbortSignal.timeout(5_000));
    expect(expiry?.toISOString()).toBe('2120-01-01T00:00:00.000Z');
  }
});

it('nothing is read of other URLs, of addresses that may not be reached, and of servers that are gone', async () => {
  const signal = AbortSignal.timeout(5_000);
  expect(await certificateExpiry('http://127.0.0.1/mcp', urls, signal)).toBeUndefined();
  const strict = createUrlGuard({ mode: 'deny-private', loopback: 'deny' });
  await expect(certificateExpiry('https://localhost/mcp', strict, signal)).rejects.toMatchObject({
    code: 'URL_REFUSED',
  });
  const dead = (await deadPort()).url.replace('http:', 'https:');
  await expect(certificateExpiry(dead, urls, signal)).rejects.toThrow('ECONNREFUSED');
});
