import { type Deferred, deferred } from '@plugboard/base';
import { describe, expect, it } from 'vitest';
import { WriteAheadFlush } from './write-ahead-flush.js';

/** A log whose flushes end when the test says so. */
const heldLog = () => {
  const flushes: Deferred<void>[] = [];
  let [opened, closed] = [0, 0];
  const log = new WriteAheadFlush('/home/plugboard.db', (path) => {
    expect(path).toBe('/home/plugboard.db-wal');
    opened += 1;
    return Promise.resolve({
      datasync: () => {
        const flush = deferred<void>();
        flushes.push(flush);
        return flush.promise;
      },
      close: () => {
        closed += 1;
        return Promise.resolve();
      },
    });
  });
  return { log, flushes, opened: () => opened, closed: () => closed };
};

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('WriteAheadFlush', () => {
  it('does not let a later commit rely on a flush that began before it', async () => {
    const { log, flushes } = heldLog();
    const first = log.flush();
    await turn();
    let secondDone = false;
    const second = log.flush().then(() => (secondDone = true));
    flushes[0]?.resolve();
    await first;
    await turn();
    expect({ secondDone, flushes: flushes.length }).toEqual({ secondDone: false, flushes: 2 });
    flushes[1]?.resolve();
    await second;
  });

  it('serves all that wait with one flush and one open file', async () => {
    const { log, flushes, opened } = heldLog();
    const first = log.flush();
    await turn();
    const others = [log.flush(), log.flush(), log.flush()];
    flushes[0]?.resolve();
    await first;
    await turn();
    flushes[1]?.resolve();
    await Promise.all(others);
    expect({ flushes: flushes.length, opened: opened() }).toEqual({ flushes: 2, opened: 1 });
  });

  it('reports a failed flush to those that waited for it, and opens the file again for the next', async () => {
    const { log, flushes, opened, closed } = heldLog();
    const failing = log.flush();
    await turn();
    const next = log.flush();
    flushes[0]?.reject(Object.assign(new Error('EIO'), { code: 'EIO' }));
    await expect(failing).rejects.toThrow('EIO');
    await turn();
    flushes[1]?.resolve();
    await next;
    expect({ opened: opened(), closed: closed() }).toEqual({ opened: 2, closed: 1 });
  });

  it('has nothing to flush where SQLite keeps no such log', async () => {
    const log = new WriteAheadFlush('/nowhere/plugboard.db');
    await expect(log.flush()).resolves.toBeUndefined();
    await log.close();
  });

  it('closes its file when what waits is done', async () => {
    const { log, flushes, closed } = heldLog();
    const flush = log.flush();
    await turn();
    const closing = log.close();
    await turn();
    expect(closed()).toBe(0);
    flushes[0]?.resolve();
    await Promise.all([flush, closing]);
    expect(closed()).toBe(1);
  });
});
