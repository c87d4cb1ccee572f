import { describe, expect, it } from 'vitest';
import { ClientLife } from './client-life.js';

const reason = new Error('over');

describe('the life of a client', () => {
  it('ends its requests and what listens to it, not those that are over', () => {
    const life = new ClientLife();
    const [over, current] = [life.begin(undefined), life.begin(undefined)];
    over[Symbol.dispose]();
    life.end(reason);
    expect([over.signal.aborted, current.signal.aborted, life.signal.aborted]).toEqual([false, true, true]);
    expect(current.signal.reason).toBe(reason);
  });
});

describe('a request', () => {
  it('ends with its caller, and for a reason of its own', () => {
    const life = new ClientLife();
    const caller = new AbortController();
    const [one, other] = [life.begin(caller.signal), life.begin(caller.signal)];
    one.abort(reason);
    expect([one.signal.reason, other.signal.aborted, caller.signal.aborted]).toEqual([reason, false, false]);
    caller.abort('gone');
    expect([one.signal.reason, other.signal.reason]).toEqual([reason, 'gone']);
  });

  it('of a caller that has aborted has aborted', () => {
    const end = new ClientLife().begin(AbortSignal.abort(reason));
    expect([end.signal.aborted, end.signal.reason]).toEqual([true, reason]);
    end[Symbol.dispose]();
  });

  it('does not hear of its caller when it is over', () => {
    const caller = new AbortController();
    const end = new ClientLife().begin(caller.signal);
    end[Symbol.dispose]();
    caller.abort();
    expect(end.signal.aborted).toBe(false);
  });
});
