import { expect, it } from 'vitest';
import { logLine, progressIn, progressWords } from './heard.js';

it('reads progress, of which anything may be missing or wrong', () => {
  expect(progressIn({ progress: 1, total: 3, message: 'one' })).toEqual({ value: 1, total: 3, message: 'one' });
  expect(progressIn({ progress: 'x', total: 0, message: 7 })).toEqual({ value: 0, total: undefined, message: '' });
});

it('puts progress in words, with or without those of the server', () => {
  expect(progressWords({ value: 1, total: 3, message: 'one' })).toBe('one');
  expect(progressWords({ value: 1, total: 3, message: '' })).toBe('1 of 3');
  expect(progressWords({ value: 1, total: undefined, message: '' })).toBe('');
});

it('puts a log message in a line, whatever its data is', () => {
  expect(logLine({ level: 'error', data: 'broken' })).toBe('error: broken');
  expect(logLine({ data: { at: 1 } })).toBe('info: {"at":1}');
  expect(logLine({})).toBe('info: ');
});
