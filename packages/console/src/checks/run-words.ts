import type { CheckRun, CheckVerdict } from '@plugboard/contract';
import type { Tone } from '../ui/badge.js';

interface Words {
  readonly tone: Tone;
  readonly word: string;
}

/** How a run stands, in a word. */
export const runWords = ({ state, outcome }: Pick<CheckRun, 'state' | 'outcome'>): Words => {
  if (state === 'queued') return { tone: 'quiet', word: 'Queued' };
  if (state === 'running') return { tone: 'info', word: 'Running' };
  switch (outcome) {
    case 'passed':
      return { tone: 'good', word: 'Passed' };
    case 'failed':
      return { tone: 'bad', word: 'Failed' };
    case 'incomplete':
      return { tone: 'warn', word: 'Incomplete' };
    case 'unreachable':
      return { tone: 'bad', word: 'Unreachable' };
    case 'not-examined':
    case undefined:
      return { tone: 'quiet', word: 'Not examined' };
    default:
      return outcome satisfies never;
  }
};

export const VERDICTS: Readonly<Record<CheckVerdict, Words>> = {
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
