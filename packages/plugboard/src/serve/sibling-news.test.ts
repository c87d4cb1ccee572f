import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type News, NewsExchange, type NewsLine, siblingsBehind } from './sibling-news.js';

/** Two ends of a line in memory; each hears what the other one sends. */
const lineBetween = (): readonly [NewsLine, NewsLine] => {
  const [left, right] = [new EventEmitter(), new EventEmitter()];
  const end = (own: EventEmitter, other: EventEmitter): NewsLine => ({
    send: (news: News) => void other.emit('message', news),
    onMessage: (listener) => void own.on('message', listener),
  });
  return [end(left, right), end(right, left)];
};

let exchange: NewsExchange;
beforeEach(() => {
  exchange = new NewsExchange();
});
afterEach(() => {
  vi.useRealTimers();
});

const addWorker = (look: () => Promise<void>) => {
  const [parent, worker] = lineBetween();
  exchange.add(worker);
  const siblings = siblingsBehind(parent);
  siblings.watch(look);
  return { siblings, remove: () => exchange.remove(worker) };
};

/** A look that goes on until it is told to end. */
const openLook = () => {
  let finish: () => void = () => undefined;
  const look = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)));
  return { look, finish: () => finish() };
};

describe('the news of workers', () => {
  it('reaches all others, and is seen when all have looked', async () => {
    const own = vi.fn(async () => undefined);
    const [second, third] = [openLook(), openLook()];
    const { siblings } = addWorker(own);
    addWorker(second.look);
    addWorker(third.look);
    let isSeen = false;
    const announced = siblings.announce().then(() => (isSeen = true));
    await vi.waitFor(() => expect(third.look).toHaveBeenCalledTimes(1), 20_000);
    expect(second.look).toHaveBeenCalledTimes(1);
    second.finish();
    await new Promise((next) => setImmediate(next));
    expect(isSeen).toBe(false);
    third.finish();
    await announced;
    expect(own).not.toHaveBeenCalled();
  });

  it('does not wait for a worker that ended or whose look failed, nor when there is no other', async () => {
    const { siblings } = addWorker(async () => undefined);
    await siblings.announce();
    addWorker(() => Promise.reject(new Error('the store does not answer')));
    const hanging = openLook();
    const other = addWorker(hanging.look);
    const announced = siblings.announce();
    await vi.waitFor(() => expect(hanging.look).toHaveBeenCalled(), 20_000);
    other.remove();
    await announced;
  });

  it('waits for five seconds at most', async () => {
    vi.useFakeTimers();
    const { siblings } = addWorker(async () => undefined);
    const hanging = openLook();
    addWorker(hanging.look);
    let isSeen = false;
    void siblings.announce().then(() => (isSeen = true));
    await vi.advanceTimersByTimeAsync(4900);
    expect(isSeen).toBe(false);
    await vi.advanceTimersByTimeAsync(200);
    expect(isSeen).toBe(true);
  });

  it('ignores what is no news, and ends nothing when the other process is gone', async () => {
    const siblings = siblingsBehind({
      send: () => {
        throw new Error('the channel is closed');
      },
      onMessage: (listener) => {
        for (const message of [null, 'role', { news: 'else', id: 1 }, { news: 'look' }]) listener(message);
      },
    });
    await expect(siblings.announce()).resolves.toBeUndefined();
  });
});
