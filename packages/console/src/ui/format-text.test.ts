import { describe, expect, it } from 'vitest';
import { ago, counted, countsByName, milliseconds, moment, sentence, visible } from './format-text.js';

describe('words', () => {
  it('count things', () => {
    expect([counted(1, 'tool'), counted(2, 'tool'), counted(20_000, 'entry', 'entries')]).toEqual([
      '1 tool',
      '2 tools',
      '20,000 entries',
    ]);
  });

  it('end a sentence once', () => {
    expect([sentence('It broke'), sentence('It broke. '), sentence('Why?')]).toEqual([
      'It broke.',
      'It broke.',
      'Why?',
    ]);
  });

  it('name the day of another day', () => {
    const now = new Date(2026, 0, 10, 12);
    expect(moment(new Date(2026, 0, 10, 8, 37, 49).toISOString(), now)).toMatch(/8.37.49/u);
    expect(moment(new Date(2026, 0, 9, 8, 37, 49).toISOString(), now)).toMatch(/9.*8.37(?!.49)/u);
    expect(moment('soon', now)).toBe('');
  });

  it.each([
    [1, 'just now'],
    [30, '30 s ago'],
    [90, '1 min ago'],
    [7200, '2 h ago'],
    [200_000, '2 d ago'],
  ])('%d seconds ago: %s', (seconds, words) => {
    const now = Date.parse('2026-01-10T00:00:00Z');
    expect(ago(new Date(now - seconds * 1000).toISOString(), now)).toBe(words);
  });

  it('do without a time that is none', () => {
    expect(ago('soon')).toBe('');
  });

  it('give durations', () => {
    expect([0.25, 4.2, 12.6, 3400, 45_000].map(milliseconds)).toEqual(['250 µs', '4.2 ms', '13 ms', '3.4 s', '45 s']);
  });

  it('show characters that hide or reverse text', () => {
    expect(visible('a\u202Eb\u200B\u0000c\n\td')).toBe('a␦202eb␦200b␦0000c\n\td');
  });

  it('count by name', () => {
    expect(countsByName({ TIMEOUT: 3, NETWORK: 1 })).toBe('TIMEOUT 3, NETWORK 1');
  });
});
