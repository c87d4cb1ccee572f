import { networkInterfaces } from 'node:os';
import { expect, it } from 'vitest';
import { OwnPlaces } from './own-places.js';

const places = new OwnPlaces('https://hub.example/base');
places.listensAt('http://127.0.0.1:2091');

const mapped = (address: string): string => new URL(`http://[::ffff:${address}]/`).hostname.slice(1, -1);
const own = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .filter(({ family }) => family === 'IPv4')
  .map(({ address }) => address);

it('knows every address of this machine, also as URLs write it in IPv6', () => {
  expect(own).toContain('127.0.0.1');
  for (const address of [...own, ...own.map(mapped), '0.0.0.0', '::', mapped('0.0.0.0'), '::1', '127.9.9.9']) {
    expect([address, places.isOwnAddress(address, 2091)]).toEqual([address, true]);
  }
});

it.each(['8.8.8.8', '2606:4700::1111', mapped('8.8.8.8')])('does not take %s for its own', (address) => {
  expect(places.isOwnAddress(address, 2091)).toBe(false);
});

it('means its own port only', () => {
  expect(places.isOwnAddress('127.0.0.1', 2092)).toBe(false);
});

it('knows its public name', () => {
  expect(places.isOwnUrl(new URL('https://hub.example/other'))).toBe(true);
  expect(places.isOwnUrl(new URL('https://hub.example:8443/'))).toBe(false);
});
