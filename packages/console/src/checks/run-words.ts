import type { CheckVerdict } from '@plugboard/contract';
import type { ToneWord } from '../ui/run-words.js';

export const VERDICTS: Readonly<Record<CheckVerdict, ToneWord>> = {
  fail: { tone: 'bad', word: 'Failed' },
  warn: { tone: 'warn', word: 'Warning' },
  'not-verified': { tone: 'info', word: 'Not verified' },
  pass: { tone: 'good', word: 'Passed' },
  'not-applicable': { tone: 'quiet', word: 'Not applicable' },
};

const ORDER = Object.keys(VERDICTS);

/** Findings come first. */
export const byVerdict = (
  left: { readonly verdict: CheckVerdict },
  right: { readonly verdict: CheckVerdict },
): number => ORDER.indexOf(left.verdict) - ORDER.indexOf(right.verdict);
