import { expect, it } from 'vitest';
import { WordedError } from './worded-error.js';

const WORDS = { BUSY: { sentence: 'Too many runs.', hint: 'Try again.' } };

it('has the sentence and the hint of its code, or a sentence of its own', () => {
  expect(new WordedError(WORDS, 'BUSY')).toMatchObject({ code: 'BUSY', message: 'Too many runs.', hint: 'Try again.' });
  expect(new WordedError(WORDS, 'BUSY', 'Seven runs.')).toMatchObject({ message: 'Seven runs.', hint: 'Try again.' });
});
