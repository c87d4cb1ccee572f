import { PlugboardError } from '@plugboard/contract';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { KeyedAttempt, KeyedRequestStore, KnownAttempt } from '../store/keyed-request-store.js';
import { StoredKeyedRequests, type StoredKeyedRequestsOptions } from './stored-keyed-requests.js';

const unavailable = () => new PlugboardError('STORE_UNAVAILABLE', 'The store does not answer.');

/** What the stores do, which have a test of their own. */
class MemoryStore implements KeyedRequestStore {
  readonly rows = new Map<string, KnownAttempt>();
  isDown = false;
  /** The attempts that were to be forgotten. */
  readonly tried = new Set<string>();

  async begin(attempt: KeyedAttempt): Promise<KnownAttempt | undefined> {
    if (this.isDown) throw unavailable();
    const known = this.rows.get(attempt.id);
    if (known === undefined) this.rows.set(attempt.id, { ...attempt, outcome: undefined });
    return known;
  }

  async settle({ id, attempt }: KeyedAttempt, outcome: string): Promise<void> {
    if (this.isDown) throw unavailable();
    const known = this.rows.get(id);
    if (known?.attempt === attempt) this.rows.set(id, { ...known, outcome });
  }

  async forget({ id, attempt }: KeyedAttempt): Promise<void> {
    this.tried.add(attempt);
    if (this.isDown) throw unavailable();
    if (this.rows.get(id)?.attempt === attempt) this.rows.delete(id);
  }

  async forgetOlder(): Promise<void> {
    await Promise.resolve();
  }
}

const setUp = (options: Partial<StoredKeyedRequestsOptions> = {}) => {
  const store = new MemoryStore();
  const alive = new Set(['one', 'two']);
  const performed: string[] = [];
  const processOf = (holder: string) => {
    const requests = new StoredKeyedRequests({
      store,
      holder,
      isRunning: async (name) => alive.has(name),
      onUnsaved: () => undefined,
      retryMs: 5,
      ...options,
    });
    onTestFinished(() => requests.close());
    return async (
      perform: () => Promise<string>,
      { key = 'k', content = 'do it', caller = 'me' }: { key?: string; content?: string; caller?: string } = {},
    ) => {
      const work = {
        perform: async () => {
          performed.push(`${caller} ${key}`);
          return perform();
        },
        write: (text: string) => text,
        read: (text: string) => text,
      };
      const { value, isRepeated } = await requests.run({ caller, key, content }, work);
      return isRepeated ? `${value} again` : value;
    };
  };
  return { store, alive, performed, one: processOf('one'), two: processOf('two') };
};

const done = async () => 'done';
const failing = (thrown: Error) => () => Promise.reject(thrown);

describe('requests with an idempotency key', () => {
  it('are carried out once, and answered alike at every process', async () => {
    const { performed, one, two } = setUp();
    expect(await one(done)).toBe('done');
    expect(await one(done)).toBe('done again');
    expect(await two(done)).toBe('done again');
    expect(performed).toHaveLength(1);
  });

  it('belong to their callers', async () => {
    const { performed, one } = setUp();
    await one(done);
    expect(await one(done, { caller: 'you' })).toBe('done');
    expect(await one(done, { key: 'l' })).toBe('done');
    expect(performed).toHaveLength(3);
  });

  it('are refused with a key of another request', async () => {
    const { performed, one, two } = setUp();
    await one(done);
    await expect(two(done, { content: 'do more' })).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    expect(performed).toHaveLength(1);
  });

  it('are refused while they are under way, and unknown when their process ended', async () => {
    const { alive, performed, one, two } = setUp();
    let end = (_text: string): void => undefined;
    const first = one(() => new Promise((resolve) => (end = resolve)));
    await expect.poll(() => performed.length).toBe(1);
    for (const each of [one, two]) await expect(each(done)).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_IN_USE' });
    alive.delete('one');
    await expect(two(done)).rejects.toMatchObject({ code: 'AMBIGUOUS_DELIVERY' });
    // It was only thought to have ended.
    end('late');
    expect(await first).toBe('late');
    expect(await two(done)).toBe('late again');
    expect(performed).toHaveLength(1);
  });

  it('fail alike when they were answered with a failure', async () => {
    const { performed, one, two } = setUp();
    const refused = new PlugboardError('UPSTREAM_PROTOCOL', 'The server says no.', { hint: 'Ask it.' });
    await expect(one(failing(refused))).rejects.toBe(refused);
    await expect(two(done)).rejects.toMatchObject({
      code: 'UPSTREAM_PROTOCOL',
      message: 'The server says no.',
      hint: 'Ask it.',
    });
    expect(performed).toHaveLength(1);
  });

  it.each([
    new PlugboardError('CONFLICT', 'taken'),
    new PlugboardError('RATE_LIMITED', 'later'),
    Object.assign(new PlugboardError('UPSTREAM_CLOSED', 'gone'), { delivery: 'not-executed' }),
  ])('may be sent again when nothing was carried out: $code', async (thrown) => {
    const { performed, one, two } = setUp();
    await expect(one(failing(thrown))).rejects.toBe(thrown);
    expect(await two(done)).toBe('done');
    expect(performed).toHaveLength(2);
  });

  it.each([
    new PlugboardError('STORE_UNAVAILABLE', 'in the middle'),
    new Error('a bug'),
    Object.assign(new PlugboardError('UPSTREAM_REFUSED', 'gone'), { delivery: 'ambiguous' }),
  ])('are not carried out again when nobody knows: %s', async (thrown) => {
    const { performed, one, two } = setUp();
    await expect(one(failing(thrown))).rejects.toBe(thrown);
    await expect(two(done)).rejects.toMatchObject({ code: 'AMBIGUOUS_DELIVERY' });
    expect(performed).toHaveLength(1);
  });

  it('keep no large answer, and are not carried out again', async () => {
    const { performed, one } = setUp();
    expect(await one(async () => 'x'.repeat(300_000))).toHaveLength(300_000);
    await expect(one(done)).rejects.toMatchObject({
      code: 'CONFLICT',
      hint: expect.stringContaining('256 KiB') as string,
    });
    expect(performed).toHaveLength(1);
  });

  it('are not begun without the store, and begin when it is back', async () => {
    const { store, performed, one } = setUp();
    store.isDown = true;
    await expect(one(done)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(performed).toEqual([]);
    store.isDown = false;
    expect(await one(done)).toBe('done');
  });

  it('are answered although their outcome cannot be stored yet, and it is stored later', async () => {
    const { store, performed, one, two } = setUp();
    const answered = await one(async () => {
      store.isDown = true;
      return 'done';
    });
    expect(answered).toBe('done');
    store.isDown = false;
    await expect.poll(() => two(done).catch(() => undefined)).toBe('done again');
    expect(performed).toHaveLength(1);
  });

  it('of one caller fill the store only so far, and repeats are answered still', async () => {
    const { store, one } = setUp({ perCaller: { keys: 3, chars: 10 } });
    expect(await one(async () => 'x'.repeat(10), { key: 'a' })).toHaveLength(10);
    // There is no room for the response, but it is carried out once.
    expect(await one(done, { key: 'b' })).toBe('done');
    await expect(one(done, { key: 'b' })).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(one(failing(new PlugboardError('CONFLICT', 'taken')), { key: 'c' })).rejects.toThrow('taken');
    expect(await one(done, { key: 'd' })).toBe('done');
    await expect(one(done, { key: 'e' })).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    expect(await one(done, { key: 'a' })).toBe('xxxxxxxxxx again');
    expect(await one(done, { key: 'e', caller: 'you' })).toBe('done');
    expect(store.rows.size).toBe(4);
  });

  it('wait in memory only so far while the store is away, which is told once', async () => {
    const told: unknown[] = [];
    const { store, performed, one, two } = setUp({ onUnsaved: (reason) => told.push(reason) });
    store.isDown = true;
    const refused = await Promise.allSettled(Array.from({ length: 1500 }, (_, key) => one(done, { key: String(key) })));
    expect(refused.every(({ status }) => status === 'rejected')).toBe(true);
    expect(told).toHaveLength(1);
    store.tried.clear();
    await expect.poll(() => store.tried.size).toBe(1000);
    store.isDown = false;
    expect(await two(done, { key: '1400' })).toBe('done');
    expect(performed).toHaveLength(1);
  });
});
