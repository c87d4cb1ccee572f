import { addressKind } from '@plugboard/base';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createUrlGuard, type UrlGuard } from './url-guard.js';

const strict = createUrlGuard({ mode: 'deny-private', loopback: 'deny' });
const local = createUrlGuard({ mode: 'deny-private', loopback: 'allow' });

const refusal = (work: () => void): unknown => {
  try {
    work();
    return undefined;
  } catch (thrown) {
    return (thrown as { code?: unknown }).code;
  }
};

const loopbackUrls = [
  'http://127.0.0.1/',
  'http://127.0.0.1:8080/mcp',
  'http://127.1/',
  'http://127.255.255.254/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0x7f.0.0.1/',
  'http://0177.0.0.1/',
  'http://017700000001/',
  'http://%31%32%37.0.0.1/',
  'http://１２７.0.0.1/',
  'http://[::1]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://localhost/',
  'http://LOCALHOST:2091/',
  'http://localhost./',
  'http://api.localhost/',
] as const;

const privateUrls = [
  'http://0.0.0.0/',
  'http://0/',
  'http://0.1.2.3/',
  'http://10.0.0.1/',
  'http://10.255.255.255/',
  'http://167772161/',
  'http://0xa000001/',
  'http://012.0.0.1/',
  'http://172.16.0.1/',
  'http://172.31.255.255/',
  'http://192.168.1.1/',
  'http://192.168.257/',
  'http://3232235777/',
  'http://100.64.0.1/',
  'http://169.254.1.1/',
  'http://192.0.0.8/',
  'http://192.0.2.1/',
  'http://198.18.0.1/',
  'http://198.51.100.7/',
  'http://203.0.113.7/',
  'http://224.0.0.1/',
  'http://240.0.0.1/',
  'http://255.255.255.255/',
  'http://[::]/',
  'http://[::10.0.0.1]/',
  'http://[::ffff:10.0.0.1]/',
  'http://[::ffff:c0a8:101]/',
  'http://[64:ff9b::10.0.0.1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[64:ff9b:1::1]/',
  'http://[2002:a00:1::]/',
  'http://[2001:0:a00:1::1]/',
  'http://[2001:db8::1]/',
  'http://[100::1]/',
  'http://[fc00::1]/',
  'http://[fd12:3456::1]/',
  'http://[fe80::1]/',
  'http://[fec0::1]/',
  'http://[ff02::1]/',
  'http://printer.local/',
  'http://db.localdomain/',
  'http://vault.internal/',
  'http://host.docker.internal:3000/',
  'http://router.home.arpa/',
  'http://api.default.svc/',
  'http://api.default.svc.cluster.local./',
  'http://nas.lan/',
] as const;

const metadataUrls = [
  'http://169.254.169.254/latest/meta-data/',
  'http://2852039166/',
  'http://0xa9fea9fe/',
  'http://0251.0376.0251.0376/',
  'http://169.254.43518/',
  'http://[::ffff:169.254.169.254]/',
  'http://[::ffff:a9fe:a9fe]/',
  'http://[64:ff9b::a9fe:a9fe]/',
  'http://[2002:a9fe:a9fe::]/',
  'http://[fd00:ec2::254]/',
  'http://169.254.170.2/',
  'http://100.100.100.200/',
  'http://192.0.0.192/',
  'http://168.63.129.16/',
  'http://metadata.google.internal/',
  'http://METADATA.google.internal./',
  'http://metadata/',
  'http://instance-data/',
] as const;

const publicUrls = [
  'https://example.com/mcp',
  'https://8.8.8.8/',
  'https://172.32.0.1/',
  'https://100.128.0.1/',
  'https://[2606:4700::1111]/',
  'https://[::ffff:8.8.8.8]/',
  'https://[64:ff9b::8.8.8.8]/',
  'https://locals.example/',
  'https://internal.example/',
] as const;

describe('a hub that others can reach', () => {
  it.each([...loopbackUrls, ...privateUrls, ...metadataUrls])('does not connect to %s', (url) => {
    expect(refusal(() => strict.checkUrl(url))).toBe('URL_REFUSED');
  });

  it.each(publicUrls)('connects to %s', (url) => {
    expect(refusal(() => strict.checkUrl(url))).toBeUndefined();
  });

  it.each(['file:///etc/passwd', 'gopher://example.com/', 'ftp://example.com/', 'not a url', 'http://', 'data:,x'])(
    'does not speak %s',
    (url) => {
      expect(refusal(() => strict.checkUrl(url))).toBe('URL_REFUSED');
    },
  );

  it('says why and what to do, and no more than the host', () => {
    expect(() => strict.checkUrl('http://10.0.0.1/path?token=secret')).toThrow(
      expect.objectContaining({
        message: 'The hub may not connect to 10.0.0.1: it is not a public address.',
        hint: expect.stringContaining('PLUGBOARD_URLS'),
        details: { host: '10.0.0.1' },
      }),
    );
  });
});

describe('a hub on loopback', () => {
  it.each(loopbackUrls)('connects to %s', (url) => {
    expect(refusal(() => local.checkUrl(url))).toBeUndefined();
  });

  it.each([...privateUrls, ...metadataUrls])('does not connect to %s', (url) => {
    expect(refusal(() => local.checkUrl(url))).toBe('URL_REFUSED');
  });
});

const resolved = (guard: UrlGuard, host: string, ...addresses: readonly string[]): unknown =>
  refusal(() => guard.checkResolved(host, addresses));

describe('a name', () => {
  it('is refused when any of its addresses is', () => {
    expect(resolved(strict, 'rebind.example', '93.184.216.34')).toBeUndefined();
    expect(resolved(strict, 'rebind.example', '93.184.216.34', '127.0.0.1')).toBe('URL_REFUSED');
    expect(resolved(strict, 'rebind.example', '::ffff:a9fe:a9fe')).toBe('URL_REFUSED');
    expect(resolved(strict, 'rebind.example', 'fe80::1%eth0')).toBe('URL_REFUSED');
    expect(resolved(strict, 'rebind.example', 'nonsense')).toBe('URL_REFUSED');
  });

  it('of this machine may not lead elsewhere', () => {
    expect(resolved(local, 'localhost', '127.0.0.1', '::1')).toBeUndefined();
    expect(resolved(local, 'evil.localhost', '10.0.0.1')).toBe('URL_REFUSED');
  });
});

describe('an allow-list', () => {
  const listed = createUrlGuard({
    mode: 'allow-list',
    hosts: ['api.example', '*.Corp.example', '10.1.0.0/16', '[fd00::5]', 'loopback'],
  });

  it('lets names pass that it has, wherever they lead but to the credentials of the machine', () => {
    expect(resolved(listed, 'api.example', '192.168.1.1')).toBeUndefined();
    expect(resolved(listed, 'tools.corp.example.', '192.168.1.1')).toBeUndefined();
    expect(resolved(listed, 'corp.example', '8.8.8.8')).toBe('URL_REFUSED');
    expect(resolved(listed, 'api.example', '169.254.169.254')).toBe('URL_REFUSED');
  });

  it('judges other names by their addresses', () => {
    expect(resolved(listed, 'anything.example', '10.1.2.3')).toBeUndefined();
    expect(resolved(listed, 'anything.example', '10.2.2.3')).toBe('URL_REFUSED');
    expect(resolved(listed, 'anything.example', '8.8.8.8')).toBe('URL_REFUSED');
    expect(resolved(listed, 'metadata.google.internal', '10.1.2.3')).toBe('URL_REFUSED');
  });

  it('takes addresses, networks and the two words', () => {
    const check = (guard: UrlGuard, url: string) => refusal(() => guard.checkUrl(url));
    expect(check(listed, 'http://10.1.9.9/')).toBeUndefined();
    expect(check(listed, 'http://[fd00::5]/')).toBeUndefined();
    expect(check(listed, 'http://[fd00::6]/')).toBe('URL_REFUSED');
    expect(check(listed, 'http://127.0.0.1/')).toBeUndefined();
    expect(check(listed, 'http://8.8.8.8/')).toBe('URL_REFUSED');
    const wider = createUrlGuard({ mode: 'allow-list', hosts: ['public', '169.254.169.254'] });
    expect(check(wider, 'http://8.8.8.8/')).toBeUndefined();
    expect(check(wider, 'http://169.254.169.254/')).toBeUndefined();
    expect(check(wider, 'http://127.0.0.1/')).toBe('URL_REFUSED');
  });
});

it('allows everything when told so, but only http', () => {
  const all = createUrlGuard({ mode: 'allow-all' });
  for (const url of [...privateUrls, ...metadataUrls]) expect(refusal(() => all.checkUrl(url))).toBeUndefined();
  expect(refusal(() => all.checkUrl('file:///etc/passwd'))).toBe('URL_REFUSED');
});

describe('any spelling of an IPv4 address', () => {
  const octets = fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 4, maxLength: 4 });

  it('is of the same kind', () => {
    fc.assert(
      fc.property(octets, (bytes) => {
        const dotted = bytes.join('.');
        const number = bytes.reduce((sum, byte) => sum * 256 + byte, 0);
        const kind = addressKind(dotted);
        const spellings = [
          `http://${number}/`,
          `http://0x${number.toString(16)}/`,
          `http://0${number.toString(8)}/`,
          `http://${bytes.map((byte) => `0x${byte.toString(16)}`).join('.')}/`,
          `http://[::ffff:${dotted}]/`,
        ];
        for (const url of spellings) {
          expect([url, addressKind(new URL(url).hostname.replaceAll(/^\[|\]$/gu, ''))]).toEqual([url, kind]);
        }
      }),
    );
  });
});
