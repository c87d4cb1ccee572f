import { PlugboardError, type HubEvent } from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import { httpServer, registryFixture } from '../test-support/registry-fixture.js';
import { definition } from '../test-support/scripted-reach.js';
import { EventFeed } from './event-feed.js';

const event: HubEvent = { event: 'toolset_changed', at: '2026-01-01T00:00:00.000Z', name: 'x' };

describe('EventFeed', () => {
  it('tells everyone who listens, also when one of them fails, until they stop', () => {
    const errors: string[] = [];
    const feed = new EventFeed({
      info: () => undefined,
      warn: () => undefined,
      error: (message) => errors.push(message),
    });
    const heard: HubEvent[] = [];
    feed.subscribe(() => {
      throw new Error('broken');
    });
    const stop = feed.subscribe((each) => heard.push(each));
    feed.emit(event);
    stop();
    feed.emit(event);
    expect(heard).toEqual([event]);
    expect(errors).toHaveLength(2);
    expect(feed.listenerCount).toBe(1);
  });
});

describe('events of a registry', () => {
  it('tell of servers, syncs and toolsets, by whichever process', async () => {
    await using fixture = await registryFixture();
    const other = await fixture.reopen();
    const heard: string[] = [];
    const far: string[] = [];
    fixture.registry.events.subscribe(({ event: name }) => heard.push(name));
    other.events.subscribe(({ event: name }) => far.push(name));
    fixture.reach.list = async () => [definition('a')];
    const { server } = await fixture.registry.registerServer(httpServer('one'));
    fixture.clock.ms += 1;
    await fixture.registry.updateServer(server.id, { server_name: 'new name' });
    await fixture.registry.toolsets.create({ name: 'mine' });
    fixture.clock.ms += 1;
    await fixture.registry.toolsets.update('mine', { read_only: true });
    await fixture.registry.toolsets.delete('mine');
    await other.listServers();
    await fixture.registry.deleteServer(server.id);
    await other.listServers();
    expect(heard).toEqual([
      'server_added',
      'server_status',
      'server_synced',
      'server_changed',
      'toolset_changed',
      'toolset_changed',
      'toolset_removed',
      'server_removed',
    ]);
    expect(far).toEqual(['server_status', 'server_added', 'server_removed']);
  });

  it('tell when a server is found in another state, and only then', async () => {
    await using fixture = await registryFixture();
    const { registry } = fixture;
    fixture.reach.list = async () => [definition('a')];
    const { server } = await registry.registerServer(httpServer('one'));
    const heard: unknown[] = [];
    registry.events.subscribe((each) => heard.push(each.event === 'server_status' && each.status.state));
    registry.noteOutcome(server.id);
    registry.noteOutcome(server.id, new PlugboardError('INVALID_ARGUMENT', 'only about the call'));
    registry.noteOutcome(server.id, new PlugboardError('UPSTREAM_REFUSED', 'Nobody listens.'));
    registry.noteOutcome(server.id, new PlugboardError('UPSTREAM_REFUSED', 'Nobody listens.'));
    expect(registry.status(server.id)).toMatchObject({ state: 'failing', error: { code: 'UPSTREAM_REFUSED' } });
    registry.noteOutcome(server.id);
    expect(heard).toEqual(['failing', 'ready']);
  });
});
