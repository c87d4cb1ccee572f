import { expect, it } from 'vitest';
import { fitting } from './destination.js';

const all = ['Agents', 'Add a server', 'server-one', 'server-two'].map((name) => ({ name, path: `/${name}` }));
const found = (typed: string, limit = 9): readonly string[] => fitting(all, typed, limit).map(({ name }) => name);

it('finds names by the words in them, and not by letters that are far apart', () => {
  expect(found('SERVER')).toEqual(['Add a server', 'server-one', 'server-two']);
  expect(found('two server')).toEqual(['server-two']);
  expect(found('get')).toEqual([]);
});

it('gives everything while nothing is typed, up to a limit', () => {
  expect(found('')).toHaveLength(4);
  expect(found('', 2)).toEqual(['Agents', 'Add a server']);
});
