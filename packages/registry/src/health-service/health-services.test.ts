import { PlugboardError, type HealthService } from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import type { HealthServiceStore } from '../store/health-service-store.js';
import { HealthServices } from './health-services.js';

const memoryStore = (): HealthServiceStore => {
  const kept = new Map<string, HealthService>();
  return {
    all: async () => [...kept.values()],
    put: async (service) => void kept.set(service.name, service),
    remove: async (name) => kept.delete(name),
  };
};

const setUp = () => {
  const state = {
    now: 1_000_000,
    answer: 200 as number | PlugboardError,
    asked: [] as string[],
    logged: [] as string[],
  };
  const log = (message: string): void => void state.logged.push(message);
  const services = new HealthServices({
    store: memoryStore(),
    ask: async (url) => {
      state.asked.push(url);
      state.now += 20;
      if (state.answer instanceof PlugboardError) throw state.answer;
      return state.answer;
    },
    clock: { now: () => state.now },
    log: { info: log, warn: log, error: log },
    pollMs: 0,
  });
  return { services, state };
};

const vision = { name: 'vision', url: 'http://127.0.0.1:7072/health', interval_seconds: 30 };

describe('health-only services', () => {
  it('are asked when they are registered', async () => {
    const { services } = setUp();
    const { status } = await services.create(vision);
    expect(status).toMatchObject({ state: 'up', http_status: 200, latency_ms: 20, reason: null });
    expect(services.states()).toEqual({ vision: status });
    expect((await services.get('vision')).status).toEqual(status);
  });

  it('are asked again in their own rhythm, and not before', async () => {
    const { services, state } = setUp();
    await services.create(vision);
    await services.askDue();
    expect(state.asked).toHaveLength(1);
    state.now += 30_000;
    await services.askDue();
    expect(state.asked).toHaveLength(2);
  });

  it('are down when they answer with an error or not at all, and it is logged once', async () => {
    const { services, state } = setUp();
    await services.create(vision);
    state.answer = 503;
    state.now += 30_000;
    await services.askDue();
    expect(services.states()['vision']).toMatchObject({ state: 'down', reason: 'It answered 503.' });
    state.answer = new PlugboardError('UPSTREAM_REFUSED', 'Nothing responds at its address.');
    state.now += 30_000;
    await services.askDue();
    expect(services.states()['vision']).toMatchObject({ state: 'down', reason: 'Nothing responds at its address.' });
    state.answer = 204;
    state.now += 30_000;
    await services.askDue();
    expect(services.states()['vision']).toMatchObject({ state: 'up', http_status: 204 });
    expect(state.logged).toEqual(['A service is down.', 'A service has recovered.']);
  });

  it('have names of their own', async () => {
    const { services } = setUp();
    await services.create(vision);
    await expect(services.create(vision)).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(services.get('sound')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(services.remove('sound')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('are forgotten, also when another process removed them', async () => {
    const { services } = setUp();
    await services.create(vision);
    await services.create({ ...vision, name: 'sound' });
    await services.remove('sound');
    expect(Object.keys(services.states())).toEqual(['vision']);
    await services.declare({ ...vision, name: 'mail' });
    expect((await services.list()).map(({ name, status }) => [name, status.state])).toEqual([
      ['vision', 'up'],
      ['mail', 'unknown'],
    ]);
  });

  it('are not asked after the end', async () => {
    const { services, state } = setUp();
    await services.declare(vision);
    services.stop();
    state.answer = new PlugboardError('CANCELLED', 'Too late.');
    await services.askDue();
    expect(services.states()['vision']?.state).toBe('unknown');
  });
});
