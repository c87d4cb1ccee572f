import { describe, expect, it } from 'vitest';
import type { HubApi } from '../../hub-api/hub-api.js';
import type { Settings } from '../../settings/settings.js';
import { checkProcessLimit, checkProcessLoad } from './check-processes.js';

const hubWith = (processes: object | undefined): HubApi =>
  ({
    request: async () => ({
      status: 200,
      json: {
        status: 'ready',
        store: 'ok',
        servers: {},
        services: {},
        ...(processes === undefined ? {} : { processes }),
      },
    }),
  }) as unknown as HubApi;

const settingsWith = (max: number | undefined): Settings => ({ processes: { max, waitMs: 1 } }) as unknown as Settings;

describe('doctor on processes', () => {
  it('says how many a hub would run', () => {
    expect(checkProcessLimit(settingsWith(12)).message).toBe('up to 12 at once (processes.max)');
    expect(checkProcessLimit(settingsWith(undefined)).message).toMatch(
      /^up to \d+ at once, by memory and open files$/u,
    );
  });

  it('says how many run, and warns when more are wanted', async () => {
    const load = { running: 3, max: 12, waiting: 0, evicted: 0 };
    expect(await checkProcessLoad(hubWith(load))).toMatchObject({
      verdict: 'ok',
      message: '3 of at most 12 are running',
    });
    const busy = await checkProcessLoad(hubWith({ running: 12, max: 12, waiting: 2, evicted: 7 }));
    expect(busy).toMatchObject({
      verdict: 'warning',
      message: 'all 12 are in use, and 2 more are waiting; 7 idle ones were stopped to make room',
    });
    expect(busy.fix).toContain('processes.max');
    expect(await checkProcessLoad(hubWith(undefined))).toMatchObject({ verdict: 'ok' });
  });

  it('goes on when the hub is not ready', async () => {
    const request = async () => {
      throw new Error('503');
    };
    const found = await checkProcessLoad({ request } as unknown as HubApi);
    expect(found).toMatchObject({ verdict: 'problem', message: 'unknown, because the hub says that it is not ready' });
  });
});
