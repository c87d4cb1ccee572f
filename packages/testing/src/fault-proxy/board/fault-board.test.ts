import { describe, expect, test } from 'vitest';
import { FaultBoard } from './fault-board.js';

const CALL = '{"method":"tools/call","id":1}';

describe('a fault board', () => {
  test('without a memory tells, and keeps nothing', () => {
    const told: string[] = [];
    const board = new FaultBoard({
      faults: [{ kind: 'garbage' }],
      remembers: false,
      onStrike: ({ kind }) => told.push(kind),
      onDelivered: (text) => told.push(text),
    });
    board.take(CALL, 'response');
    board.deliver(CALL);
    expect(told).toEqual(['garbage', CALL]);
    expect([board.strikes, board.delivered]).toEqual([[], []]);
  });

  test('strikes only what matches, in its phase, as often as it is told', () => {
    const board = new FaultBoard({ faults: [{ kind: 'garbage', match: 'tools/call', times: 2 }] });
    expect(board.take('{"method":"ping"}', 'response')).toBeUndefined();
    expect(board.take(CALL, 'request')).toBeUndefined();
    expect(board.take(CALL, 'response')?.kind).toBe('garbage');
    expect(board.take(CALL, 'response', ['reset'])).toBeUndefined();
    expect(board.take(CALL, 'response')?.kind).toBe('garbage');
    expect(board.take(CALL, 'response')).toBeUndefined();
    expect(board.strikes.map(({ message }) => message)).toEqual([3, 5]);
  });

  test('strikes the same messages with the same seed, and others with another', () => {
    const struck = (seed: number): readonly number[] => {
      const board = new FaultBoard({ seed, faults: [{ kind: 'reset', probability: 0.3 }] });
      for (let index = 0; index < 200; index += 1) board.take(CALL, 'response');
      return board.strikes.map(({ message }) => message);
    };
    expect(struck(7)).toEqual(struck(7));
    expect(struck(7)).not.toEqual(struck(8));
    expect(struck(7).length).toBeGreaterThan(30);
    expect(struck(7).length).toBeLessThan(90);
  });

  test('counts what reached the server, and tells of it', () => {
    const told: string[] = [];
    const board = new FaultBoard({ onDelivered: (text) => told.push(text) });
    for (const text of ['one canary-1.', 'two canary-2.', 'again canary-1.']) board.deliver(text);
    expect(board.deliveriesOf('canary-1.')).toBe(2);
    expect(told).toEqual(board.delivered);
  });

  test('strikes nothing when it is cleared', () => {
    const board = new FaultBoard({ faults: [{ kind: 'blackhole', match: 'x' }] });
    expect(board.concerns('x', ['blackhole'])).toBe(true);
    expect(board.concerns('y', ['blackhole'])).toBe(false);
    board.clear();
    expect(board.concerns('x', ['blackhole'])).toBe(false);
  });
});
