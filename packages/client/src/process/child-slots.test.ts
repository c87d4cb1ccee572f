import { describe, expect, it } from 'vitest';
import { errorOf } from '../policy/test-support/call.js';
import { createChildSlots } from './child-slots.js';

describe('the cap on children', () => {
  it('refuses one more than allowed and says what to do', async () => {
    const slots = createChildSlots(1);
    const giveBack = await slots.take('a');
    const error = await errorOf(slots.take('b').then(() => undefined));
    expect(error).toMatchObject({ code: 'RATE_LIMITED', details: { max_processes: 1 } });
    giveBack();
    giveBack();
    expect(slots.used()).toBe(0);
    await slots.take('b');
    expect(slots.used()).toBe(1);
  });

  it('ends the child that was idle longest to make room, and spares those that are used again', async () => {
    const slots = createChildSlots(2);
    const ended: string[] = [];
    const idle = async (name: string) => {
      const giveBack = await slots.take(name);
      return slots.offer(() => {
        ended.push(name);
        giveBack();
        return Promise.resolve();
      });
    };
    const useAgain = await idle('old');
    await idle('young');
    useAgain();
    await slots.take('new');
    expect(ended).toEqual(['young']);
    await errorOf(slots.take('newest').then(() => undefined));
    expect(ended).toEqual(['young']);
  });
});
