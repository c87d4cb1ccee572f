import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ipv6Groups } from './ipv6-groups.js';

it.each([
  ['::', [0, 0, 0, 0, 0, 0, 0, 0]],
  ['::1', [0, 0, 0, 0, 0, 0, 0, 1]],
  ['fe80::', [0xfe80, 0, 0, 0, 0, 0, 0, 0]],
  ['1:2:3:4:5:6:7:8', [1, 2, 3, 4, 5, 6, 7, 8]],
  ['2001:DB8::a:b', [0x2001, 0xdb8, 0, 0, 0, 0, 0xa, 0xb]],
  ['::ffff:169.254.169.254', [0, 0, 0, 0, 0, 0xffff, 0xa9fe, 0xa9fe]],
  ['64:ff9b::1.2.3.4', [0x64, 0xff9b, 0, 0, 0, 0, 0x102, 0x304]],
  ['1:2:3:4:5:6:1.2.3.4', [1, 2, 3, 4, 5, 6, 0x102, 0x304]],
  ['1:2:3:4:5:6:7::', [1, 2, 3, 4, 5, 6, 7, 0]],
])('%s', (address, groups) => {
  expect(ipv6Groups(address)).toEqual(groups);
});

it('reads every spelling that URLs make of an address', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 }), (groups) => {
      const long = groups.map((group) => group.toString(16)).join(':');
      const short = new URL(`http://[${long}]/`).hostname.slice(1, -1);
      expect(ipv6Groups(long)).toEqual(groups);
      expect(ipv6Groups(short)).toEqual(groups);
    }),
  );
});
