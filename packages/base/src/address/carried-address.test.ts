import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { carriedAddress } from './carried-address.js';

describe('an IPv6 address', () => {
  it.each([
    ['::ffff:1.2.3.4', '1.2.3.4', 'mapped'],
    ['::ffff:a9fe:a9fe', '169.254.169.254', 'mapped'],
    ['64:ff9b::a9fe:a9fe', '169.254.169.254', 'translated'],
    ['64:FF9B::10.0.0.1', '10.0.0.1', 'translated'],
    ['2002:a9fe:a9fe::', '169.254.169.254', 'tunnelled'],
    ['2002:a9fe:a9fe:1::5', '169.254.169.254', 'tunnelled'],
    ['::169.254.169.254', '169.254.169.254', 'tunnelled'],
    ['::ffff:0:a9fe:a9fe', '169.254.169.254', 'tunnelled'],
    ['64:ff9b:1::a9fe:a9fe', '169.254.169.254', 'tunnelled'],
  ])('%s carries %s, %s', (ipv6, address, carriage) => {
    expect(carriedAddress(ipv6)).toEqual({ address, carriage });
  });

  it.each(['2606:4700::1111', 'fe80::1', '64:ff9b:2::1', '64:ff9b::1:0:0', '::1:ffff:0:0'])(
    '%s carries none',
    (ipv6) => {
      expect(carriedAddress(ipv6)).toBeUndefined();
    },
  );

  it('gives back what was put into it', () => {
    const octets = fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(octets, ([a = 0, b = 0, c = 0, d = 0]) => {
        const address = [a, b, c, d].join('.');
        const groups = [a * 256 + b, c * 256 + d].map((group) => group.toString(16)).join(':');
        expect(carriedAddress(`::ffff:${address}`)).toEqual({ address, carriage: 'mapped' });
        expect(carriedAddress(`::ffff:${groups}`)).toEqual({ address, carriage: 'mapped' });
        expect(carriedAddress(`64:ff9b::${address}`)).toEqual({ address, carriage: 'translated' });
        expect(carriedAddress(`2002:${groups}::1`)).toEqual({ address, carriage: 'tunnelled' });
      }),
    );
  });
});
