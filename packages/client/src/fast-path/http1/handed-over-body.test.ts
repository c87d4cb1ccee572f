import { describe, expect, it, vi } from 'vitest';
import { isLent, lentPlace } from '../../read-buffer/lent-place.js';
import { HandedOverBody } from './handed-over-body.js';

const rig = (...before: readonly string[]) => {
  const controller = { pause: vi.fn(), resume: vi.fn(), abort: vi.fn() };
  const body = new HandedOverBody(
    controller,
    before.map((text) => Buffer.from(text)),
  );
  const place = lentPlace(8);
  const lend = (text: string): void => {
    place.write(text);
    body.give(place.subarray(0, text.length));
  };
  const taken: string[] = [];
  const take = (chunk: Buffer): void => void taken.push(`${isLent(chunk) ? 'lent' : 'own'} ${chunk.toString()}`);
  const flows = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return { controller, body, lend, taken, take, flows };
};

describe('the body of an answer that was handed over', () => {
  it('gives what waited first, then lends what comes', async () => {
    const { body, lend, taken, take, flows } = rig('one');
    lend('two');
    lend('xxx');
    body.lendTo(take);
    body.on('data', take);
    await flows();
    lend('four');
    body.complete();
    await flows();
    expect(taken).toEqual(['own one', 'own two', 'own xxx', 'lent four']);
  });

  it('keeps what comes while it is paused, stops the server, and lets it go on', async () => {
    const { body, controller, lend, taken, take, flows } = rig();
    body.lendTo(take);
    body.on('data', take);
    await flows();
    lend('a');
    body.pause();
    expect(controller.pause).toHaveBeenCalledOnce();
    lend('b');
    lend('c');
    controller.resume.mockClear();
    body.resume();
    expect(controller.resume).toHaveBeenCalled();
    await flows();
    lend('d');
    expect(taken).toEqual(['lent a', 'own b', 'own c', 'lent d']);
  });

  it('gives copies to everybody else', async () => {
    const { body, lend, flows } = rig();
    const got: Buffer[] = [];
    body.on('data', (chunk: Buffer) => got.push(chunk));
    await flows();
    lend('a');
    lend('b');
    expect(got.map(String)).toEqual(['a', 'b']);
  });
});
