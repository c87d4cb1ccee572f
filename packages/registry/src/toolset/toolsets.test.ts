import type { ServerId, ToolsetCreate } from '@plugboard/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { httpServer, registryFixture, type RegistryFixture } from '../test-support/registry-fixture.js';
import { definition } from '../test-support/scripted-reach.js';

let fixture: RegistryFixture;
let serverId: ServerId;
beforeEach(async () => {
  fixture = await registryFixture();
  fixture.reach.list = async () => [definition('a')];
  serverId = (await fixture.registry.registerServer(httpServer('one'))).server.id;
});
afterEach(() => fixture[Symbol.asyncDispose]());

const entry = (upstream_name: string, more: object = {}) => ({ server_id: serverId, upstream_name, ...more });

describe('toolsets of a registry', () => {
  it('are made with defaults, found by id and name, changed in part and removed', async () => {
    const { registry, clock } = fixture;
    const made = await registry.toolsets.create({ name: 'mine' });
    expect(made).toMatchObject({ description: null, entries: [], read_only: false, provider: null, exposure: 'all' });
    clock.ms += 1000;
    const changed = await registry.toolsets.update('mine', { entries: [entry('a')], exposure: 'search' });
    expect(changed).toEqual({
      ...made,
      entries: [entry('a')],
      exposure: 'search',
      updated_at: '2026-01-01T00:00:01.000Z',
    });
    expect(await registry.toolsets.get(made.id)).toEqual(changed);
    expect(await registry.toolsets.list()).toEqual([changed]);
    expect(registry.snapshot().toolsets).toEqual([changed]);
    await registry.toolsets.update('mine', { description: 'x', provider: 'gemini' });
    expect(await registry.toolsets.update('mine', { description: null, provider: null })).toMatchObject({
      description: null,
      provider: null,
      exposure: 'search',
    });
    await registry.toolsets.delete('mine');
    expect(registry.snapshot().toolsets).toEqual([]);
    await expect(registry.toolsets.get('mine')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(registry.toolsets.update('mine', {})).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(registry.toolsets.delete(made.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('are removed once, also by two callers at the same time and at two processes', async () => {
    const { registry } = fixture;
    const other = await fixture.reopen();
    for (const second of [registry, other]) {
      const { id } = await registry.toolsets.create({ name: 'mine' });
      await second.toolsets.get(id);
      const ends = await Promise.allSettled([registry.toolsets.delete(id), second.toolsets.delete(id)]);
      expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      expect(ends.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'NOT_FOUND' } });
    }
    expect(registry.snapshot().toolsets).toEqual([]);
  });

  it('lose no change of two that were made to one state, even within a millisecond', async () => {
    const { toolsets } = fixture.registry;
    const { id, updated_at: seen } = await toolsets.create({ name: 'mine' });
    const ends = await Promise.allSettled(
      ['a', 'b'].map((name) => toolsets.update(id, { entries: [entry(name)], if_updated_at: seen })),
    );
    expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const now = await toolsets.get(id);
    expect(ends.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'CONFLICT', details: { updated_at: now.updated_at } },
    });
    expect(now.updated_at > seen).toBe(true);
    const more = { entries: [entry('a'), entry('b')], if_updated_at: now.updated_at };
    expect((await toolsets.update(id, more)).entries).toHaveLength(2);
    expect(now).not.toHaveProperty('if_updated_at');
  });

  it('tell listeners, here and in another process', async () => {
    const other = await fixture.reopen();
    const heard: number[] = [];
    fixture.registry.onChange((snapshot) => heard.push(snapshot.toolsets?.length ?? -1));
    await fixture.registry.toolsets.create({ name: 'mine' });
    expect(heard).toEqual([1]);
    expect(await other.toolsets.list()).toMatchObject([{ name: 'mine' }]);
    expect(other.snapshot().toolsets).toHaveLength(1);
  });

  it('keep names apart', async () => {
    const { toolsets } = fixture.registry;
    await toolsets.create({ name: 'one' });
    const two = await toolsets.create({ name: 'two' });
    await expect(toolsets.create({ name: 'one' })).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(toolsets.update(two.id, { name: 'one' })).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await toolsets.update(two.id, { name: 'two' })).toMatchObject({ name: 'two' });
  });

  it.each<[string, (make: typeof entry) => Partial<ToolsetCreate>, RegExp]>([
    ['an unknown provider', () => ({ provider: 'nobody' }), /provider profile/u],
    [
      'an unknown server',
      (make) => ({ entries: [{ ...make('a'), server_id: 'mcp_server-00000000-0000-4000-8000-000000000009' }] }),
      /not registered/u,
    ],
    ['a tool twice', (make) => ({ entries: [make('a'), make('a', { name: 'x' })] }), /twice/u],
    ['a name twice', (make) => ({ entries: [make('a', { name: 'x' }), make('b', { name: 'x' })] }), /called "x"/u],
  ])('refuse %s and store nothing', async (_case, changes, message) => {
    const { toolsets } = fixture.registry;
    const made = toolsets.create({ name: 'bad', ...changes(entry) });
    await expect(made).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', message: expect.stringMatching(message) });
    expect(await toolsets.list()).toEqual([]);
  });

  it('survive that a server and its tools are gone', async () => {
    const { registry } = fixture;
    await registry.toolsets.create({ name: 'mine', entries: [entry('a'), entry('not offered now')] });
    await registry.deleteServer(serverId);
    expect((await registry.toolsets.get('mine')).entries).toHaveLength(2);
  });
});
