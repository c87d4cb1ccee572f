import { PlugboardError } from '@plugboard/contract';
import { describe, expect, it, vi } from 'vitest';
import type { Store, StoreChanges } from '../store/store.js';
import { sampleServer, sampleTool } from '../test-support/store-samples.js';
import { Catalogue } from './catalogue.js';
import { watchStore } from './watch-store.js';

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** A store that is only read, and whose content a test puts in place. */
const readOnlyStore = () => {
  const state = {
    changes: { version: 0, serverIds: [], changed: [], toolsets: [] } as StoreChanges,
    broken: false,
    asked: [-1],
  };
  const store: Pick<Store, 'version' | 'changesSince'> = {
    version: async () => {
      if (state.broken) throw new PlugboardError('STORE_UNAVAILABLE', 'gone');
      return state.changes.version;
    },
    changesSince: async (version) => {
      state.asked.push(version);
      return state.changes;
    },
  };
  return { state, catalogue: new Catalogue(store as Store, quiet) };
};

const entryOf = (name: string) => {
  const server = sampleServer(name);
  const stored = { server, status: { state: 'unknown' }, configRevision: 1, unreadable: undefined } as const;
  return { server: stored, tools: [sampleTool(server.id, 'a')] };
};

const content = (version: number, ...entries: readonly ReturnType<typeof entryOf>[]): StoreChanges => ({
  version,
  serverIds: entries.map((entry) => entry.server.server.id),
  changed: entries,
  toolsets: [],
});

describe('Catalogue', () => {
  it('asks only for what is newer, and for nothing when nothing is', async () => {
    const { state, catalogue } = readOnlyStore();
    state.changes = content(3, entryOf('one'));
    await catalogue.refresh();
    await catalogue.refresh();
    state.changes = { ...state.changes, version: 5 };
    await catalogue.refresh();
    expect(state.asked.slice(1)).toEqual([0, 3]);
  });

  it('starts over when the database under its feet is another one', async () => {
    const { state, catalogue } = readOnlyStore();
    state.changes = content(9, entryOf('old'));
    await catalogue.refresh();
    state.changes = content(2, entryOf('new'));
    await catalogue.refresh();
    expect(state.asked.slice(1)).toEqual([0, 0]);
    expect(catalogue.all().map(({ stored }) => stored.server.server_name)).toEqual(['new']);
  });

  it('serves many callers with few questions', async () => {
    const { state, catalogue } = readOnlyStore();
    state.changes = content(1, entryOf('one'));
    await Promise.all(Array.from({ length: 50 }, () => catalogue.refresh()));
    expect(state.asked.slice(1)).toEqual([0]);
    expect(catalogue.all()).toHaveLength(1);
  });

  it('keeps the objects of servers that did not change', async () => {
    const { state, catalogue } = readOnlyStore();
    const [one, two] = [entryOf('one'), entryOf('two')];
    state.changes = content(1, one, two);
    await catalogue.refresh();
    const before = catalogue.get(one.server.server.id);
    state.changes = { ...content(2, one, two), changed: [{ ...two, tools: [] }] };
    await catalogue.refresh();
    expect(catalogue.get(one.server.server.id)).toBe(before);
    expect(catalogue.get(two.server.server.id)?.tools).toEqual([]);
  });

  it('renames tools of servers that did not change when another one comes and goes', async () => {
    const { state, catalogue } = readOnlyStore();
    const [one, two] = [entryOf('a.b'), entryOf('a_b')];
    const shown = (id: string) => catalogue.get(id)?.tools.map(({ name }) => name);
    state.changes = content(1, one);
    await catalogue.refresh();
    expect(shown(one.server.server.id)).toEqual(['a_b__a']);
    state.changes = { ...content(2, one, two), changed: [two] };
    await catalogue.refresh();
    expect(shown(one.server.server.id)).toEqual([expect.stringMatching(/^a_b__a_[0-9a-f]{8}$/u)]);
    expect(catalogue.all().map(({ stored }) => stored.server.server_name)).toEqual(['a.b', 'a_b']);
    expect(catalogue.snapshot().entries[0]?.tools).toBe(catalogue.get(one.server.server.id)?.tools);
    state.changes = { ...content(3, one), changed: [] };
    await catalogue.refresh();
    expect(shown(one.server.server.id)).toEqual(['a_b__a']);
    expect(catalogue.named('a_b')).toBeUndefined();
  });

  it('finds a server under its new name only, in order', async () => {
    const { state, catalogue } = readOnlyStore();
    const [one, two, three] = [entryOf('one'), entryOf('two'), entryOf('three')];
    state.changes = content(1, one, two, three);
    await catalogue.refresh();
    const renamed = { ...one, server: { ...one.server, server: { ...one.server.server, server_name: 'zero' } } };
    state.changes = { ...content(2, renamed, two, three), changed: [renamed], serverIds: undefined };
    await catalogue.refresh();
    expect(catalogue.all().map(({ stored }) => stored.server.server_name)).toEqual(['three', 'two', 'zero']);
    expect(catalogue.named('one')).toBeUndefined();
    expect(catalogue.named('zero')?.tools[0]?.name).toBe('zero__a');
    expect(catalogue.tools().map(({ name }) => name)).toEqual(['three__a', 'two__a', 'zero__a']);
  });

  it('can be refreshed again after the store failed', async () => {
    const { state, catalogue } = readOnlyStore();
    state.broken = true;
    await expect(catalogue.refresh()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    state.broken = false;
    state.changes = content(1, entryOf('one'));
    await catalogue.refresh();
    expect(catalogue.all()).toHaveLength(1);
  });
});

describe('watchStore', () => {
  it('says once that the store is gone and once that it is back', async () => {
    vi.useFakeTimers();
    try {
      const { state, catalogue } = readOnlyStore();
      const lines: string[] = [];
      const note = (level: string) => (): void => void lines.push(level);
      const log = { info: note('info'), warn: note('warn'), error: note('error') };
      const stop = watchStore({ catalogue, log, pollMs: 10, reread: async () => undefined });
      state.broken = true;
      await vi.advanceTimersByTimeAsync(35);
      expect(lines).toEqual(['warn']);
      state.broken = false;
      await vi.advanceTimersByTimeAsync(35);
      expect(lines).toEqual(['warn', 'info']);
      const timers = vi.getTimerCount();
      void stop();
      expect(vi.getTimerCount()).toBe(timers - 1);
    } finally {
      vi.useRealTimers();
    }
  });
});
