import type { Exchange } from '../session/exchange.js';
import type { Observation } from '../session/observations.js';

/** What a check found. How grave `broken` is follows from the level of the check. */
export type Finding =
  | { readonly kind: 'holds'; readonly detail: string | undefined }
  | {
      readonly kind: 'broken';
      readonly detail: string;
      readonly expected: string;
      readonly exchange: Exchange | undefined;
      /** The messages of the run that show it, of a check that looks back. They are asked for again before it counts. */
      readonly observed?: readonly Observation[] | undefined;
      /** The server stayed so, and was seen so twice: what a second try begins with does not work any more. */
      readonly lasts?: boolean | undefined;
    }
  /** Tolerable although the level says more. */
  | {
      readonly kind: 'doubtful';
      readonly detail: string;
      readonly expected: string;
      readonly exchange: Exchange | undefined;
    }
  | { readonly kind: 'not-applicable'; readonly detail: string }
  | { readonly kind: 'not-verified'; readonly detail: string; readonly supply: string };

interface Evidence {
  /** What came instead, in a sentence. */
  readonly detail: string;
  /** What should have come. */
  readonly expected: string;
  readonly exchange?: Exchange | undefined;
  readonly observed?: readonly Observation[] | undefined;
  readonly lasts?: boolean | undefined;
}

export const holds = (detail?: string): Finding => ({ kind: 'holds', detail });

export const broken = ({ detail, expected, exchange, observed, lasts }: Evidence): Finding => ({
  kind: 'broken',
  detail,
  expected,
  exchange,
  ...(observed === undefined ? {} : { observed }),
  ...(lasts === undefined ? {} : { lasts }),
});

export const doubtful = ({ detail, expected, exchange }: Evidence): Finding => ({
  kind: 'doubtful',
  detail,
  expected,
  exchange,
});

export const notApplicable = (detail: string): Finding => ({ kind: 'not-applicable', detail });

/** `supply` tells the operator what to give so that the next run can judge. */
export const notVerified = (detail: string, supply: string): Finding => ({ kind: 'not-verified', detail, supply });
