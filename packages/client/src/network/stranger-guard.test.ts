import { describe, expect, it } from 'vitest';
import { createUrlGuard } from './url-guard.js';
import { leadsHome, strangerGuard } from './stranger-guard.js';

const PORT = 2091;
const isOwnAddress = (address: string, port: number): boolean => address.includes('127.0.0.1') && port === PORT;
const guardAt = (port: number) => strangerGuard(createUrlGuard({ mode: 'allow-all' }), { isOwnAddress }, port);

describe('a URL that a stranger named', () => {
  it('does not lead to the hub, by its address or by a name', () => {
    const refused = expect.objectContaining({ code: 'URL_REFUSED' }) as Error;
    expect(() => guardAt(PORT).checkHost('127.0.0.1')).toThrow(refused);
    expect(() => guardAt(PORT).checkHost('[::ffff:127.0.0.1]')).toThrow(refused);
    expect(() => guardAt(PORT).checkResolved('localhost', ['127.0.0.1'])).toThrow(refused);
    expect(() => guardAt(PORT).checkResolved('rebound.example', ['203.0.113.7', '127.0.0.1'])).toThrow(refused);
  });

  it('may lead to another program on this machine, when its name says so', () => {
    expect(() => guardAt(3000).checkHost('127.0.0.1')).not.toThrow();
    expect(() => guardAt(3000).checkResolved('app.localhost', ['127.0.0.1'])).not.toThrow();
    expect(() => guardAt(3000).checkResolved('rebound.example', ['127.0.0.1'])).toThrow('leads to this machine');
    expect(() => guardAt(443).checkResolved('login.example', ['203.0.113.7'])).not.toThrow();
  });

  it('is held to the policy as well', () => {
    const guard = strangerGuard(createUrlGuard({ mode: 'deny-private', loopback: 'deny' }), { isOwnAddress }, 80);
    expect(() => guard.checkHost('10.0.0.1')).toThrow('not a public address');
    expect(() => guard.checkResolved('login.example', ['10.0.0.1'])).toThrow('not a public address');
  });
});

describe('the place of the hub', () => {
  const isOwnUrl = (url: URL): boolean => url.origin === 'https://hub.example';
  const isHome = (url: string): boolean => leadsHome(new URL(url), { isOwnAddress, isOwnUrl });

  it('is known by its public URL, by its address, and by the names of this machine', () => {
    for (const url of ['https://hub.example/v1', `http://127.0.0.1:${PORT}/`]) {
      expect([url, isHome(url)]).toEqual([url, true]);
    }
    expect(isHome(`http://localhost:${PORT}/v1`)).toBe(true);
    expect(isHome(`http://app.localhost:${PORT}/v1`)).toBe(true);
  });

  it('is no other port, scheme or host', () => {
    for (const url of [
      'http://127.0.0.1:3000/',
      'http://hub.example/v1',
      'https://hub.example.org/',
      'https://localhost/',
    ]) {
      expect([url, isHome(url)]).toEqual([url, false]);
    }
  });
});
