import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import { createUrlGuard } from '@plugboard/client';
import { deadPort } from '@plugboard/testing';
import { expect, it, onTestFinished } from 'vitest';
import { certificateExpiry } from '../../../packages/plugboard/src/monitor/certificate.js';
import { testCertificate, testKey } from '../client/test-certificate.js';

const urls = createUrlGuard({ mode: 'deny-private', loopback: 'allow' });

const serve = async (cert: string): Promise<number> => {
  const server = createServer({ cert, key: testKey });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
};

/** The certificate with this text in place of the date on which it expires. Its signature does not fit, which nobody checks. */
const expiringOn = (date: string): string => {
  const bytes = Buffer.from(testCertificate.replaceAll(/-----[^-]+-----|\s/gu, ''), 'base64');
  bytes.write(date, bytes.indexOf('21200101000000Z', 0, 'latin1'), 'latin1');
  return `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64')}\n-----END CERTIFICATE-----\n`;
};

it('the certificate of an https server is read, whoever signed it', async () => {
  const port = await serve(testCertificate);
  for (const host of ['127.0.0.1', 'localhost']) {
    const expiry = await certificateExpiry(`https://${host}:${port}/mcp`, urls, AbortSignal.timeout(5_000));
    expect(expiry?.toISOString()).toBe('2120-01-01T00:00:00.000Z');
  }
});

it('a certificate whose date is none counts as one that cannot be read', async () => {
  const read = async (date: string) =>
    certificateExpiry(`https://127.0.0.1:${await serve(expiringOn(date))}/mcp`, urls, AbortSignal.timeout(5_000));
  expect(await read('21210101000000Z')).toEqual(new Date('2121-01-01T00:00:00Z'));
  expect(await read('21209901000000Z')).toBeUndefined();
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
