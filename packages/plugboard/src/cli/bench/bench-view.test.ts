import type { BenchEvent } from '@plugboard/check';
import { describe, expect, it } from 'vitest';
import { styleFor } from '../../terminal/style.js';
import { benchView } from './bench-view.js';

const progress: BenchEvent = {
  type: 'progress',
  scenario: 'steady',
  phase: 'steady',
  elapsedMs: 2_500,
  totalMs: 10_000,
  callers: 10,
  calls: 5_000,
  failed: 3,
  callsPerSecond: 2_000,
  p50: 1.234,
  p95: 20,
  p99: 250,
  errors: { timeout: 3 },
  violations: 1,
  utilisation: 0.4,
};

const watched = (isTTY: boolean, enabled = true, columns = 80) => {
  let text = '';
  const stream = { isTTY, columns, write: (piece: string | Uint8Array) => void (text += String(piece)) };
  const view = benchView(stream, { enabled, style: styleFor(false) });
  return { view, text: () => text };
};

describe('the live view', () => {
  it('shows rate, percentiles, errors and the time that is left, and erases itself', () => {
    const { view, text } = watched(true);
    view.onEvent(progress);
    expect(text()).toContain('2000 calls/s');
    expect(text()).toContain('p50 1.23 ms  p95 20.00 ms  p99 250 ms');
    expect(text()).toContain('3 failed, 1 wrong  3 × timeout');
    expect(text()).toContain('8 s left');
    expect(text()).not.toContain('steady steady');
    view.end();
    expect(text().endsWith('\r\u001B[2K\u001B[1A\r\u001B[2K\u001B[1A\r\u001B[2K\u001B[1A\r\u001B[2K')).toBe(true);
  });

  it('never writes a line that would wrap', () => {
    const { view, text } = watched(true, true, 30);
    view.onEvent(progress);
    for (const line of text().split('\n')) expect(line.length).toBeLessThan(30);
  });

  it('writes a line for each scenario where there is no terminal, and nothing when it is quiet', () => {
    const done: BenchEvent = { type: 'done', result: { scenario: 'steady', summary: 'fine', phases: [] } };
    const pipe = watched(false);
    pipe.view.onEvent(progress);
    pipe.view.onEvent({ type: 'reached', note: 'A note.' });
    pipe.view.onEvent(done);
    expect(pipe.text()).toBe('A note.\nsteady: fine\n');
    const quiet = watched(true, false);
    quiet.view.onEvent(progress);
    quiet.view.onEvent(done);
    expect(quiet.text()).toBe('');
  });
});
