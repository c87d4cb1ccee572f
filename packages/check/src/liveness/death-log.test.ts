import { describe, expect, test } from 'vitest';
import type { Death } from '../session/death.js';
import { DeathLog } from './death-log.js';

const request = (id: number | string, method: string): string => JSON.stringify({ jsonrpc: '2.0', id, method });

const death = (...sent: readonly string[]): Death => ({
  detail: 'The process was ended by signal SIGKILL.',
  exchange: { sent: sent.join('\n'), received: '', connection: 1, recipe: undefined },
});

const recorded = (...deaths: readonly Death[]): readonly string[] => {
  const log = new DeathLog();
  for (const one of deaths) log.record(one);
  return log.deaths.map(({ exchange }) => exchange.sent);
};

describe('the ends of a server', () => {
  test.each([
    ['the same request under other ids', [death(request(3, 'ping')), death(request('a "quoted" id', 'ping'))]],
    ['an id that is negative', [death(request(3, 'ping')), death(request(-7, 'ping'))]],
    [
      'one more request that was open',
      [death(request(3, 'ping')), death(request(4, 'ping'), request(5, 'tools/list'))],
    ],
    ['the same request twice in a row', [death(request(3, 'ping')), death(request(4, 'ping'), request(5, 'ping'))]],
  ])('with %s count once', (_, deaths) => {
    expect(recorded(...deaths)).toEqual([request(3, 'ping')]);
  });

  test('are shown with the fewest requests that may be the cause', () => {
    const [wide, narrow] = [death(request(1, 'tools/list'), request(2, 'ping')), death(request(3, 'ping'))];
    expect(recorded(wide, narrow)).toEqual([request(3, 'ping')]);
  });

  test('of different requests count each', () => {
    expect(recorded(death(request(1, 'ping')), death(request(2, 'tools/list')))).toHaveLength(2);
  });

  test('of unknown cause count once', () => {
    expect(recorded(death(), death())).toHaveLength(1);
  });
});
