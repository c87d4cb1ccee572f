import type { DifferentialCheck } from './differential-check.js';
import { sameContents, sameMessages, sameResults } from './same-answers.js';
import { sameLists } from './same-lists.js';
import { sameRefusals } from './same-refusals.js';

/** What two ways to the same server are held to, in the order of a report. */
export const DIFFERENTIAL_CHECKS: readonly DifferentialCheck[] = [
  ...sameLists,
  sameResults,
  sameContents,
  sameMessages,
  sameRefusals,
];
