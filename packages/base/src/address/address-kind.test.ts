import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressKind } from './address-kind.js';

describe('an address', () => {
  it.each(['169.254.169.254', '169.254.170.2', '169.254.170.23', '100.100.100.200', '192.0.0.192', '168.63.129.16'])(
    '%s hands out credentials, in every form that carries it',
    (address) => {
      const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
      const groups = [a * 256 + b, c * 256 + d].map((group) => group.toString(16)).join(':');
      const forms = [
        address,
        `::ffff:${address}`,
        `::ffff:${groups}`,
        `64:ff9b::${address}`,
        `64:ff9b::${groups}`,
        `64:ff9b:1::${groups}`,
        `2002:${groups}::`,
        `2002:${groups}::1`,
        `::${groups}`,
        `::ffff:0:${groups}`,
      ];
      expect(forms.map(addressKind)).toEqual(forms.map(() => 'metadata'));
    },
  );

  it.each(['fd00:ec2::254', 'fd00:ec2::23', 'fe80::a9fe:a9fe', 'fe80::a9fe:a9fe%eth0'])(
    '%s hands out credentials',
    (address) => {
      expect(addressKind(address)).toBe('metadata');
    },
  );

  it.each(['127.0.0.1', '127.255.255.254', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1', '::ffff:7f00:1'])(
    '%s is this machine',
    (address) => {
      expect(addressKind(address)).toBe('loopback');
    },
  );

  it.each([
    '10.0.0.1',
    '10.255.255.255',
    '100.64.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    'fc00::1',
    'fd12:3456::1',
    '::ffff:10.0.0.1',
    '64:ff9b::10.0.0.1',
  ])('%s is in a private network', (address) => {
    expect(addressKind(address)).toBe('private');
  });

  it.each([
    '0.0.0.0',
    '169.254.1.1',
    '192.0.0.8',
    '192.0.2.1',
    '192.88.99.1',
    '198.18.0.1',
    '198.51.100.7',
    '203.0.113.7',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::10.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '100::1',
    '2001:0:a00:1::1',
    '2001:db8::1',
    '2002:808:808::1',
    '3fff::1',
    'fe80::1',
    'fe80::1%eth0',
    '::1%lo',
    '2606:4700::1111%eth0',
    'fec0::1',
    'ff02::1',
  ])('%s is reserved', (address) => {
    expect(addressKind(address)).toBe('reserved');
  });

  it.each([
    '8.8.8.8',
    '172.32.0.1',
    '100.128.0.1',
    '168.63.129.17',
    '2606:4700::1111',
    '::ffff:8.8.8.8',
    '::ffff:808:808',
    '64:ff9b::8.8.8.8',
  ])('%s is public', (address) => {
    expect(addressKind(address)).toBe('public');
  });

  it.each(['', 'localhost', '127.1', '[::1]', '1.2.3', '%eth0', '8.8.8.8/32'])('"%s" is none', (text) => {
    expect(addressKind(text)).toBeUndefined();
  });
});

describe('any IPv4 address inside an IPv6 address', () => {
  const octets = fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 4, maxLength: 4 });
  /** Uniform octets seldom hit the small networks. */
  const special = fc.constantFrom(
    [127, 0, 0, 1],
    [169, 254, 169, 254],
    [168, 63, 129, 16],
    [10, 0, 0, 1],
    [0, 0, 0, 0],
    [224, 0, 0, 1],
  );
  const forms = (bytes: readonly number[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes;
    const groups = [a * 256 + b, c * 256 + d].map((group) => group.toString(16)).join(':');
    return { dotted: bytes.join('.'), groups };
  };
  const each = (check: (form: { readonly dotted: string; readonly groups: string }) => void): void =>
    fc.assert(fc.property(fc.oneof(octets, special), (bytes) => check(forms(bytes))));

  it('is of its own kind when mapped', () => {
    each(({ dotted, groups }) => {
      const kind = addressKind(dotted);
      expect([addressKind(`::ffff:${dotted}`), addressKind(`::ffff:${groups}`)]).toEqual([kind, kind]);
    });
  });

  it('is of its own kind behind NAT64, where no loopback of ours is', () => {
    each(({ dotted, groups }) => {
      const kind = addressKind(dotted) === 'loopback' ? 'reserved' : addressKind(dotted);
      expect([addressKind(`64:ff9b::${dotted}`), addressKind(`64:ff9b::${groups}`)]).toEqual([kind, kind]);
    });
  });

  it('is never public in 6to4 and other tunnels, and credentials stay recognised', () => {
    each(({ dotted, groups }) => {
      const kind = addressKind(dotted) === 'metadata' ? 'metadata' : 'reserved';
      const tunnelled = [`2002:${groups}::`, `2002:${groups}::1`, `::ffff:0:${groups}`, `64:ff9b:1::${groups}`];
      expect(tunnelled.map(addressKind)).toEqual(tunnelled.map(() => kind));
    });
  });

  it('is of one kind in every spelling that a URL takes', () => {
    each(({ dotted }) => {
      const number = dotted.split('.').reduce((sum, byte) => sum * 256 + Number(byte), 0);
      const spellings = [`${number}`, `0x${number.toString(16)}`, `0${number.toString(8)}`, `[::ffff:${dotted}]`];
      const kinds = spellings.map((host) =>
        addressKind(new URL(`http://${host}/`).hostname.replaceAll(/^\[|\]$/gu, '')),
      );
      expect(kinds).toEqual(spellings.map(() => addressKind(dotted)));
    });
  });
});
