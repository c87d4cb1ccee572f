import { describe, expect, it } from 'vitest';
import { checkProgress, timeLeft } from './check-progress.js';

describe('the progress of a check run', () => {
  it('says how much longer it takes, once enough is done', () => {
    expect(timeLeft(1_000, 9, 100)).toBe('');
    expect(timeLeft(1_000, 10, 100)).toBe(', about 9 s left');
    expect(timeLeft(60_000, 20, 200)).toBe(', about 9 min left');
    expect(timeLeft(60_000, 200, 200)).toBe('');
  });

  it('is one line on a terminal, and nothing elsewhere', () => {
    const written: string[] = [];
    const stream = { isTTY: true, columns: 80, write: (text: string) => void written.push(text) };
    let time = 0;
    const { onEvent, end } = checkProgress(stream, true, () => time);
    onEvent({ type: 'reached', planned: 20 });
    time = 5_000;
    onEvent({ type: 'started', id: 'LIF-01' });
    onEvent({ type: 'judged', result: { id: 'LIF-02', verdict: 'fail' }, done: 10 });
    end();
    expect(written.at(-2)).toContain('10 of 20, 1 failed, about 5 s left: LIF-01');
    const silent = checkProgress({ ...stream, isTTY: false }, true);
    silent.onEvent({ type: 'reached', planned: 20 });
    silent.end();
    expect(written).toHaveLength(4);
  });
});
