import { seeded } from '@plugboard/testing/fault-proxy';
import { expect, test } from 'vitest';
import { FAULT_ROWS } from './rows.js';

test('rows have ids of their own, in order, and a transport', () => {
  const ids = FAULT_ROWS.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)].toSorted());
  expect(FAULT_ROWS.filter(({ transports }) => transports.length === 0)).toEqual([]);
});

test('the same seed draws the same faults', () => {
  const drawn = (seed: number) => FAULT_ROWS.map(({ fault }) => fault(seeded(seed)));
  expect(drawn(3)).toEqual(drawn(3));
  expect(drawn(3)).not.toEqual(drawn(4));
});
