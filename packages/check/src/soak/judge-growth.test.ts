import type { SoakSample } from '@plugboard/contract';
import { seeded } from '@plugboard/testing/fault-proxy';
import { describe, expect, test } from 'vitest';
import { judgeGrowth, judgeSessions } from './judge-growth.js';

const MIB = 1_048_576;

const series = (rss: (second: number) => number, seconds = 90): readonly SoakSample[] => {
  const random = seeded(9);
  return Array.from({ length: seconds }, (_, second) => ({
    at: second * 1_000,
    calls: second * 400,
    failed: 0,
    latency: 2 + random(),
    sessions: 0,
    rss: Math.round(rss(second) + random() * 3 * MIB),
    handles: 20 + Math.round(random()),
  }));
};

const rss = (shape: (second: number) => number, seconds?: number) => judgeGrowth('rss', series(shape, seconds), 15_000);

describe('memory', () => {
  test('that grows with every call is a leak', () => {
    expect(rss((second) => 80 * MIB + second * 400 * 4_096)).toMatchObject({ verdict: 'grows' });
  });

  test('that warms up and stays is not', () => {
    expect(rss((second) => 120 * MIB - 40 * MIB * Math.exp(-second / 12))).toMatchObject({ verdict: 'stable' });
    expect(rss(() => 90 * MIB)).toMatchObject({ verdict: 'stable' });
  });

  test('that rises between collections and comes down again is not', () => {
    expect(rss((second) => 90 * MIB + (second % 30) * MIB).verdict).not.toBe('grows');
  });

  test('that falls, or creeps by less than a kilobyte per call, is not', () => {
    expect(rss((second) => 150 * MIB - second * 0.3 * MIB)).toMatchObject({ verdict: 'stable' });
    expect(rss((second) => 90 * MIB + second * 400 * 100)).toMatchObject({ verdict: 'stable' });
  });

  test('is undecided while there are few samples', () => {
    expect(rss((second) => 80 * MIB + second * MIB, 45)).toMatchObject({ verdict: 'undecided' });
    expect(rss(() => 90 * MIB, 45).verdict).toBe('undecided');
  });
});

describe('a low rate of calls', () => {
  const slow = (seconds: number) =>
    judgeGrowth(
      'rss',
      series((second) => 80 * MIB + second * MIB, seconds).map((sample, second) => ({
        ...sample,
        calls: second * 100,
      })),
      15_000,
    );

  test('is named when a rise lasts for too few calls', () => {
    expect(slow(124)).toMatchObject({ verdict: 'undecided' });
    expect(slow(124).detail).toMatch(/25,000 calls .* 7,300 /u);
    expect(slow(124).detail).toContain('--rate');
  });

  test('is named when the warm-up has too few calls', () => {
    expect(slow(60).detail).toMatch(/5,000 calls/u);
  });

  test('is enough in a longer run', () => {
    expect(slow(310)).toMatchObject({ verdict: 'grows' });
  });
});

describe('other metrics', () => {
  test('handles that are never closed are a leak', () => {
    const leaking = series(() => 90 * MIB).map((sample, second) => ({ ...sample, handles: 20 + second * 2 }));
    expect(judgeGrowth('handles', leaking, 15_000).verdict).toBe('grows');
    expect(
      judgeGrowth(
        'handles',
        series(() => 90 * MIB),
        15_000,
      ).verdict,
    ).toBe('stable');
  });

  test('latency that rises without end is found, noise is not', () => {
    const slower = series(() => 90 * MIB).map((sample, second) => ({
      ...sample,
      latency: sample.latency + 1.5 * second,
    }));
    expect(judgeGrowth('latency', slower, 15_000).verdict).toBe('grows');
    expect(
      judgeGrowth(
        'latency',
        series(() => 90 * MIB),
        15_000,
      ).verdict,
    ).toBe('stable');
  });

  test('what was not measured is not judged', () => {
    const blind = series(() => 0).map(({ rss: _rss, handles: _handles, ...sample }) => sample);
    expect(judgeGrowth('rss', blind, 15_000).verdict).toBe('not-measured');
  });

  test('a session that answers after DELETE is a leak', () => {
    const samples = series(() => 0, 1);
    const leaking = samples.map((sample) => ({ ...sample, sessions: 2 }));
    expect(judgeSessions(leaking, 5)).toMatchObject({ verdict: 'grows' });
    expect(judgeSessions(samples, 5).verdict).toBe('stable');
    expect(judgeSessions(samples, 0).verdict).toBe('not-measured');
  });
});
