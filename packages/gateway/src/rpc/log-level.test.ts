import { describe, expect, it } from 'vitest';
import { isLogLevel, reaches, severityOf } from './log-level.js';

describe('log levels', () => {
  it('are the eight of the protocol', () => {
    expect([isLogLevel('debug'), isLogLevel('emergency'), isLogLevel('verbose'), isLogLevel(3)]).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(severityOf('error')).toBeGreaterThan(severityOf('warning'));
    expect(severityOf('rubbish')).toBe(0);
  });

  it('reach those who asked for as much or less', () => {
    expect([reaches('error', 'warning'), reaches('warning', 'warning'), reaches('info', 'warning')]).toEqual([
      true,
      true,
      false,
    ]);
    expect([reaches(undefined, 'debug'), reaches(7, 'info')]).toEqual([true, false]);
  });
});
