import type { CheckRun } from '@plugboard/contract';
import type { Tone } from './badge.js';

export interface ToneWord {
  readonly tone: Tone;
  readonly word: string;
}

/** How a check or a benchmark stands, in a word. */
export const runWords = ({ state, outcome }: Pick<CheckRun, 'state' | 'outcome'>): ToneWord => {
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
