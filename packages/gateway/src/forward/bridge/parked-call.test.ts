import { describe, expect, it } from 'vitest';
import { ParkedCall } from './parked-call.js';
import { ParkedCalls } from './parked-calls.js';

const live = new AbortController().signal;
const ask = (call: ParkedCall, method = 'elicitation/create', params: object = { message: 'm' }) =>
  call.ask({ method, params, signal: live });
const KEY = Buffer.alloc(32, 1);

describe('a parked call', () => {
  it('gathers what the server asks at once, and goes on with the answers', async () => {
    const call = new ParkedCall({ elicitation: {}, sampling: {} }, {});
    const work = Promise.all([ask(call), ask(call, 'sampling/createMessage', { messages: [] })]);
    call.follow(work);
    const turn = await call.turn(live);
    expect(turn).toEqual({
      kind: 'questions',
      questions: {
        'input-1': { method: 'elicitation/create', params: { mode: 'form', message: 'm' } },
        'input-2': { method: 'sampling/createMessage', params: { messages: [] } },
      },
    });
    call.answer({ 'input-1': { action: 'accept' }, stranger: {}, 'input-2': 7 });
    expect(await call.turn(live)).toMatchObject({ kind: 'questions', questions: { 'input-2': {} } });
    call.answer({ 'input-2': { role: 'assistant' } });
    expect(await call.turn(live)).toEqual({ kind: 'result', result: [{ action: 'accept' }, { role: 'assistant' }] });
  });

  it('uses answers that came before the question', () => {
    const call = new ParkedCall({ elicitation: {} }, { 'input-1': { action: 'accept' } });
    expect(ask(call)).toEqual({ action: 'accept' });
    expect(call.ask({ method: 'ping', params: {}, signal: live })).toEqual({});
  });

  it('refuses what the client did not declare, and remembers it', () => {
    const call = new ParkedCall({}, {});
    expect(() => ask(call, 'roots/list')).toThrow('does not offer');
    expect(() => ask(call, 'vendor/ask')).toThrow('does not offer');
    expect(call.lacking).toEqual({ roots: {} });
  });

  it('tells failures, and ends the wait of a client that leaves', async () => {
    const failing = new ParkedCall({}, {});
    failing.follow(Promise.reject(new Error('no')));
    expect(await failing.turn(live)).toMatchObject({ kind: 'failure', thrown: { message: 'no' } });
    expect(failing.settled).toBe(true);
    const waiting = new ParkedCall({}, {});
    const gone = new AbortController();
    const turn = waiting.turn(gone.signal);
    gone.abort('left');
    expect(await turn).toEqual({ kind: 'failure', thrown: 'left' });
  });
});

describe('parked calls', () => {
  it('are found once, by whom and with what they were parked', () => {
    const calls = new ParkedCalls({ key: KEY });
    const call = new ParkedCall({}, {});
    const state = calls.park(call, 'ada');
    expect(() => calls.claim(state, 'eve')).toThrow('requestState');
    expect(calls.claim(state, 'ada')).toBe(call);
    expect(() => calls.claim(state, 'ada')).toThrow('requestState');
    const second = calls.park(call, 'ada');
    expect(second).not.toBe(state);
    expect(() => calls.claim(state, 'ada')).toThrow('requestState');
    expect(calls.size).toBe(1);
    calls.close();
    expect([calls.size, call.signal.aborted]).toEqual([0, true]);
  });

  it('end when nobody comes back, and when there are too many', async () => {
    const calls = new ParkedCalls({ key: KEY, ttlMs: 20, maxCalls: 1 });
    const call = new ParkedCall({}, {});
    calls.park(call, 'ada');
    const other = new ParkedCall({}, {});
    expect(() => calls.park(other, 'ada')).toThrow('Too many');
    expect(other.signal.aborted).toBe(true);
    await new Promise<void>((resolve) => {
      call.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    expect(calls.size).toBe(0);
  });
});
