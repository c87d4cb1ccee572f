import { describe, expect, it } from 'vitest';
import { Recent } from './recent.js';

const MINUTE = 60_000;

const recent = () => {
  const state = { now: 0, loads: 0, load: async (): Promise<string> => 'first' };
  const value = new Recent({
    load: () => {
      state.loads += 1;
      return state.load();
    },
    clock: { now: () => state.now },
    maxAgeMs: 2000,
    patienceMs: 5,
  });
  return { state, value };
};

describe('Recent', () => {
  it('asks the store when what it has is old, once for all readers', async () => {
    const { state, value } = recent();
    expect(await Promise.all([value.get(), value.get()])).toEqual(['first', 'first']);
    expect([value.get(), state.loads]).toEqual(['first', 1]);
    state.load = async () => 'second';
    state.now = 2000;
    expect(await value.get()).toBe('second');
  });

  it.each<[string, () => Promise<string>]>([
    ['fails', () => Promise.reject(new Error('down'))],
    ['hangs', () => new Promise(() => undefined)],
  ])('goes on with what it has while the store %s, and asks again later', async (_case, load) => {
    const { state, value } = recent();
    await value.get();
    state.load = load;
    state.now = 2000;
    expect(await value.get()).toBe('first');
    // Nobody waits a second time.
    expect([value.get(), state.loads]).toEqual(['first', 2]);
    state.now = 4000;
    expect(await value.get()).toBe('first');
  });

  it('gives up when the store failed for ten minutes', async () => {
    const { state, value } = recent();
    await value.get();
    state.load = () => Promise.reject(new Error('down'));
    state.now = 10 * MINUTE;
    await expect(value.get()).rejects.toThrow('down');
  });

  it('rejects before anything was read', async () => {
    const { state, value } = recent();
    state.load = () => Promise.reject(new Error('down'));
    await expect(value.get()).rejects.toThrow('down');
    expect(value.last).toBeUndefined();
  });

  it('reads again after a change of our own', async () => {
    const { state, value } = recent();
    await value.get();
    state.load = async () => 'changed';
    expect(await value.reload()).toBe('changed');
    expect(value.get()).toBe('changed');
  });
});
