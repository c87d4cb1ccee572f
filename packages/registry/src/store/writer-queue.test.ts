import { describe, expect, it } from 'vitest';
import { WriterQueue } from './writer-queue.js';

const lockTimeout = (): Error => Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' });
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the writers of one process', () => {
  it('come one at a time and in order, also after one that failed', async () => {
    const queue = new WriterQueue({ patienceMs: 60_000 });
    const seen: string[] = [];
    const writes = ['a', 'b', 'c'].map((name) =>
      queue.run(async (onTurn) => {
        onTurn();
        seen.push(`${name} begins`);
        await turn();
        seen.push(`${name} ends`);
        if (name === 'a') throw new Error('no');
        return name;
      }),
    );
    expect(await Promise.allSettled(writes)).toMatchObject([
      { reason: { message: 'no' } },
      { value: 'b' },
      { value: 'c' },
    ]);
    expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
    expect(await queue.run(async () => 'free again')).toBe('free again');
  });

  it('ask again for a turn that did not come, and never do work twice', async () => {
    const queue = new WriterQueue({ patienceMs: 60_000 });
    let asked = 0;
    const patient = queue.run(async (onTurn) => {
      asked += 1;
      if (asked < 3) throw lockTimeout();
      onTurn();
      return asked;
    });
    expect(await patient).toBe(3);
    const begun = queue.run(async (onTurn) => {
      onTurn();
      throw lockTimeout();
    });
    await expect(begun).rejects.toThrow('lock timeout');
  });

  it('connect again while nothing was done, and never after that', async () => {
    const queue = new WriterQueue({ patienceMs: 60_000 });
    let asked = 0;
    const write = queue.run(async (onTurn) => {
      asked += 1;
      if (asked < 4) throw new Error('Connection terminated unexpectedly');
      onTurn();
      return asked;
    });
    expect(await write).toBe(4);
    let begun = 0;
    const broken = queue.run(async (onTurn) => {
      begun += 1;
      onTurn();
      throw new Error('Connection terminated unexpectedly');
    });
    await expect(broken).rejects.toThrow('Connection terminated');
    expect(begun).toBe(1);
  });

  it('connect once more, and no more than that, when the database was lost some time ago', async () => {
    const queue = new WriterQueue({ patienceMs: 60_000, reconnectMs: 0 });
    let asked = 0;
    const fail = () =>
      queue.run(async () => {
        asked += 1;
        throw new Error('connect ECONNREFUSED');
      });
    await expect(fail()).rejects.toThrow('ECONNREFUSED');
    await expect(fail()).rejects.toThrow('ECONNREFUSED');
    expect(asked).toBe(4);
  });

  it('give up when their patience ends, in front of the database or behind others', async () => {
    const queue = new WriterQueue({ patienceMs: 20 });
    let end = (): void => undefined;
    const first = queue.run(() => new Promise<void>((resolve) => (end = resolve)));
    await expect(queue.run(async () => 'second')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    end();
    await first;
    let asked = 0;
    const refused = queue.run(async () => {
      asked += 1;
      await new Promise((resolve) => setTimeout(resolve, 30));
      throw lockTimeout();
    });
    await expect(refused).rejects.toThrow('lock timeout');
    expect(asked).toBe(1);
  });
});
