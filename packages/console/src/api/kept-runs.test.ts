import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forgetAllRuns, forgetRuns, keepRun, keptRuns, MAX_RUNS, type PastRun, withoutSecrets } from './kept-runs.js';

const ROOM = 300_000;

const storageOf = (room = ROOM): Storage => {
  const values = new Map<string, string>();
  return {
    get length() {
      return values.size;
    },
    key: (at) => [...values.keys()][at] ?? null,
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => {
      if (value.length > room) throw new Error('QuotaExceededError');
      values.set(key, value);
    },
    removeItem: (key) => void values.delete(key),
    clear: () => values.clear(),
  };
};

const run = (id: number, args: PastRun['args'] = { id }): PastRun => ({
  id,
  at: '2026-01-01T00:00:00Z',
  args,
  ms: 1,
  failed: false,
  hidden: [],
});

const of = (toolId: string, owner = 'ada', schema: unknown = {}) => ({ owner, toolId, schema });

describe('runs that a browser keeps', () => {
  it('are those of one person and one tool, newest first, and not too many', () => {
    const storage = storageOf();
    for (let id = 0; id < MAX_RUNS + 5; id += 1) keepRun(of('a'), run(id), storage);
    keepRun(of('b'), run(100), storage);
    expect(keptRuns('ada', 'a', storage)).toHaveLength(MAX_RUNS);
    expect(keptRuns('ada', 'a', storage)[0]?.id).toBe(MAX_RUNS + 4);
    expect(keptRuns('ada', 'b', storage)).toEqual([run(100)]);
    expect(keptRuns('alan', 'a', storage)).toEqual([]);
    keepRun(of('a', 'alan'), run(7), storage);
    expect(keptRuns('ada', 'a', storage)).toEqual([]);
  });

  it('are forgotten tool by tool, and all when somebody signs out', () => {
    const storage = storageOf();
    keepRun(of('a'), run(1), storage);
    keepRun(of('b'), run(2), storage);
    forgetRuns('ada', 'a', storage);
    expect([keptRuns('ada', 'a', storage), keptRuns('ada', 'b', storage)]).toEqual([[], [run(2)]]);
    forgetAllRuns(storage);
    expect(storage.length).toBe(0);
  });

  it('make room for newer ones, and leave out what is very large', () => {
    const small = storageOf(5000);
    const text = 'x'.repeat(2000);
    for (const tool of ['a', 'b', 'c']) keepRun(of(tool), run(1, { text }), small);
    expect(['a', 'b', 'c'].map((tool) => keptRuns('ada', tool, small).length)).toEqual([0, 1, 1]);
    keepRun(of('d'), run(1, { text: 'x'.repeat(9000) }), small);
    expect(keptRuns('ada', 'd', small)).toEqual([]);
    const none = storageOf(0);
    keepRun(of('a'), run(1), none);
    expect(none.length).toBe(0);
    const large = storageOf();
    for (let tool = 0; tool < 60; tool += 1) keepRun(of(`t${tool}`), run(1, { text: 'x'.repeat(7000) }), large);
    expect(large.getItem('plugboard.history')?.length).toBeLessThanOrEqual(262_144);
    expect(keptRuns('ada', 't59', large)).toHaveLength(1);
    expect(keptRuns('ada', 't0', large)).toHaveLength(0);
  });

  it('are read whatever else is stored under their name', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const storage = storageOf();
        storage.setItem('plugboard.history', text);
        keptRuns('ada', 'a', storage);
        keepRun(of('a'), run(1), storage);
        expect(keptRuns('ada', 'a', storage)).toEqual([run(1)]);
      }),
    );
    const storage = storageOf();
    storage.setItem(
      'plugboard.history',
      JSON.stringify({
        owner: 'ada',
        tools: [
          ['a', [{ id: 1 }]],
          ['b', [run(2)]],
        ],
      }),
    );
    expect([keptRuns('ada', 'a', storage), keptRuns('ada', 'b', storage)]).toEqual([[], [run(2)]]);
  });
});

describe('arguments that are kept', () => {
  it('have no member whose name or schema says that it is a secret', () => {
    const schema = {
      properties: {
        pin: { type: 'string', format: 'password' },
        list: { items: { properties: { k: { writeOnly: true } } } },
      },
    };
    const args = {
      city: 'Oslo',
      api_key: 's1',
      pin: 's2',
      next_token: 'page 2',
      payment: { token: 's3', amount: 1 },
      list: [{ k: 's4', n: 1 }, { password: { a: 's5' } }],
    };
    const kept = withoutSecrets(args, schema);
    expect(kept.args).toEqual({ city: 'Oslo', next_token: 'page 2', payment: { amount: 1 }, list: [{ n: 1 }, {}] });
    expect(kept.hidden).toEqual(['api_key', 'pin', 'payment.token', 'list.k', 'list.password']);
  });

  it('reach the storage in this form only', () => {
    const storage = storageOf();
    keepRun(of('a'), run(1, { token: 'canary', a: 1 }), storage);
    expect(storage.getItem('plugboard.history')).not.toContain('canary');
    expect(keptRuns('ada', 'a', storage)).toEqual([{ ...run(1, { a: 1 }), hidden: ['token'] }]);
  });
});
