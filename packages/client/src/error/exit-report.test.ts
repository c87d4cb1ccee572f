import { describe, expect, it } from 'vitest';
import { describeExit, quoteTail } from './exit-report.js';
import { exitReport } from '../supervisor/test-support/fake-child.js';

describe('describeExit', () => {
  it.each([
    [exitReport({ code: 3 }), 'exited with code 3'],
    [exitReport({ code: null }), 'exited with code unknown'],
    [exitReport({ reason: 'signalled', signal: 'SIGKILL' }), 'was killed by SIGKILL'],
    [exitReport({ reason: 'signalled' }), 'was killed by a signal'],
    [exitReport({ reason: 'stopped' }), 'was stopped'],
    [exitReport({ reason: 'idle' }), 'was stopped because it was idle'],
    [exitReport({ reason: 'not-ready' }), 'was stopped because it did not become ready'],
    [exitReport({ reason: 'unresponsive' }), 'was stopped because it no longer answered'],
    [exitReport({ reason: 'memory-limit' }), 'was stopped because it used too much memory'],
    [
      exitReport({ reason: 'memory-limit', detail: '9 MB of 8 MB allowed' }),
      'was stopped because it used too much memory: 9 MB of 8 MB allowed',
    ],
  ])('%#: says %s', (report, expected) => {
    expect(describeExit(report)).toBe(expected);
  });
});

describe('quoteTail', () => {
  it('quotes the last ten lines', () => {
    const tail = Array.from({ length: 12 }, (_, index) => `line ${index}`);
    expect(quoteTail(tail).split('\n')).toEqual(tail.slice(2));
  });
});
