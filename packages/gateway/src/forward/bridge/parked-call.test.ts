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

  it('asks a thousand questions at most', () => {
    const given = Object.fromEntries(
      Array.from({ length: 1001 }, (_, at) => [`input-${at + 1}`, { action: 'accept' }]),
    );
    const call = new ParkedCall({ elicitation: {} }, given);
    for (let count = 0; count < 1000; count += 1) ask(call);
    expect(() => ask(call)).toThrow('too many questions');
    expect(Object.keys(call.told.asked)).toHaveLength(1000);
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
    const calls = new ParkedCalls({ key: KEY, holder: 'one' });
    const call = new ParkedCall({}, {});
    const state = calls.park(call, 'ada');
    expect(() => calls.claim(state, 'eve')).toThrow('requestState');
    expect(calls.claim(state, 'ada')).toEqual({ kind: 'here', call });
    expect(() => calls.claim(state, 'ada')).toThrow('requestState');
    const second = calls.park(call, 'ada');
    expect(second).not.toBe(state);
    expect(() => calls.claim(state, 'ada')).toThrow('requestState');
    expect(calls.size).toBe(1);
    calls.close();
    expect([calls.size, call.signal.aborted]).toEqual([0, true]);
  });

  it('are lost with their process, and what was told in them is known elsewhere', async () => {
    const calls = new ParkedCalls({ key: KEY, holder: 'one' });
    const call = new ParkedCall({ elicitation: {} }, {});
    call.follow(Promise.resolve(ask(call)).then(() => ask(call, 'elicitation/create', { message: 'second' })));
    await call.turn(live);
    call.answer({ 'input-1': { action: 'accept' } });
    await expect.poll(() => Object.keys(call.told.asked)).toEqual(['input-1', 'input-2']);
    const state = calls.park(call, 'ada');
    expect(state).not.toContain('accept');
    const elsewhere = new ParkedCalls({ key: KEY, holder: 'two' });
    expect(() => elsewhere.claim(state, 'eve')).toThrow('requestState');
    const claimed = elsewhere.claim(state, 'ada');
    expect(claimed).toEqual({ kind: 'lost', told: call.told });
    if (claimed.kind === 'here' || claimed.told === undefined) throw new Error('nothing is known');
    // The call is made again, and only what was asked before is answered by what was said before.
    const { given, asked } = claimed.told;
    const again = new ParkedCall({ elicitation: {} }, { ...given, 'input-2': { action: 'decline' } }, asked);
    expect(ask(again)).toEqual({ action: 'accept' });
    expect(ask(again, 'elicitation/create', { message: 'second' })).toEqual({ action: 'decline' });
    const other = new ParkedCall({ elicitation: {} }, given, asked);
    expect(ask(other, 'elicitation/create', { message: 'something else' })).toBeInstanceOf(Promise);
    calls.close();
  });

  it('keep what was told only while it is short', () => {
    const calls = new ParkedCalls({ key: KEY, holder: 'one' });
    const call = new ParkedCall({ elicitation: {} }, { 'input-1': { content: 'x'.repeat(20_000) } });
    ask(call);
    const state = calls.park(call, 'ada');
    expect(new ParkedCalls({ key: KEY, holder: 'two' }).claim(state, 'ada')).toEqual({ kind: 'lost', told: undefined });
    calls.close();
  });

  it('end when nobody comes back, and when there are too many', async () => {
    const calls = new ParkedCalls({ key: KEY, holder: 'one', ttlMs: 20, maxCalls: 1 });
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
