import { deferred } from '@plugboard/base';
import { buildRequest } from '@plugboard/wire';
import { describe, expect, test } from 'vitest';
import { ChannelPace } from './channel-pace.js';
import { PendingAnswers } from './pending-answers.js';
import type { Pace } from './transport.js';

const { signal } = new AbortController();
const never = new Promise<void>(() => undefined);
const onIncoming = (): void => undefined;

const channel = (owner?: Pace) => {
  const pending = new PendingAnswers();
  const heldUp: number[] = [];
  const pace = new ChannelPace(pending, () => owner);
  const add = (id: number, ofRequest?: Pace): void => {
    const onHeldUp = (): void => void heldUp.push(id);
    void pending.add(buildRequest(id, 'tools/call'), { signal, onIncoming, onHeldUp, pace: ofRequest });
    pace.joined();
  };
  return { pace, add, heldUp };
};

const settles = async (wait: Promise<void> | undefined): Promise<boolean> =>
  Promise.race([
    wait?.then(() => true),
    new Promise<false>((resolve) => setImmediate(resolve, false)),
  ]) as Promise<boolean>;

describe('a channel that several share', () => {
  test('waits for its only request, and for nobody once there is another', async () => {
    const { pace, add } = channel();
    expect(pace.next()).toBeUndefined();
    add(1, () => never);
    const wait = pace.next();
    expect(await settles(wait)).toBe(false);
    add(2);
    expect(await settles(wait)).toBe(true);
    expect(pace.next()).toBeUndefined();
  });
});

describe('the channel of one client', () => {
  test('waits for whatever that one does not read, and the clocks of all its requests stand', async () => {
    const slow = deferred<undefined>();
    const { pace, add, heldUp } = channel(() => undefined);
    add(1, () => slow.promise);
    add(2);
    const wait = pace.next();
    expect(await settles(wait)).toBe(false);
    expect(heldUp).toEqual([1, 2]);
    add(3);
    expect(await settles(wait)).toBe(false);
    slow.resolve(undefined);
    expect(await settles(wait)).toBe(true);
  });

  test('waits also when nothing is asked, but not at its end', async () => {
    const { pace } = channel(() => never);
    const wait = pace.next();
    expect(await settles(wait)).toBe(false);
    pace.end();
    expect(await settles(wait)).toBe(true);
    expect(pace.next()).toBeUndefined();
  });
});
