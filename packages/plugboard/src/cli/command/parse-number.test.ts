import { describe, expect, it } from 'vitest';
import { parseChurn, parsePercent, parseRate, parseSeconds, parseSecondsOrZero } from './parse-number.js';

describe('a duration', () => {
  it.each([
    ['30', 30],
    ['0.5', 0.5],
    ['30s', 30],
    ['500ms', 0.5],
    ['5m', 300],
    ['24h', 86_400],
  ])('%s is read', (text, seconds) => {
    expect(parseSeconds(text)).toBe(seconds);
  });

  it.each(['', ' ', 's', '1d', '-1', '0', '1e9', '25h', '1.2.3', 'Infinity', 'NaN', 'soon'])(
    '%j is refused',
    (text) => {
      expect(() => parseSeconds(text)).toThrow(/a number of seconds above 0 and up to 86400/u);
    },
  );

  it('may be none where that makes sense', () => {
    expect([parseSecondsOrZero('0'), parseSecondsOrZero('1h')]).toEqual([0, 3_600]);
    expect(() => parseSecondsOrZero('61m')).toThrow(/3600/u);
  });
});

it.each([
  [parseRate, '100001', 'calls per second'],
  [parseRate, '0', 'calls per second'],
  [parseChurn, '1001', 'sessions per second'],
  [parsePercent, '-1', 'percentage'],
])('a number out of its range is refused', (parse, text, what) => {
  expect(() => parse(text)).toThrow(what);
});

it('sessions need not come and go', () => {
  expect(parseChurn('0')).toBe(0);
});
