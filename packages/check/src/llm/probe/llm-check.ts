import type { CheckLevel } from '@plugboard/contract';
import type { LlmProbe } from './llm-probe.js';
import type { Exchange } from '../wire/send.js';

export type LlmFamily =
  | 'Configuration'
  | 'Completions'
  | 'Streaming'
  | 'Tool calls'
  | 'Structured output'
  | 'Errors'
  | 'Batches'
  | 'Robustness'
  | 'Features';

export type Finding =
  | { readonly verdict: 'pass' }
  | { readonly verdict: 'fail'; readonly detail: string; readonly expected: string; readonly exchange?: Exchange }
  | { readonly verdict: 'not-applicable'; readonly detail: string }
  | { readonly verdict: 'not-verified'; readonly detail: string; readonly supply: string };

/** One statement about an endpoint of a provider. */
export interface LlmCheck {
  readonly id: string;
  readonly title: string;
  /** What is wrong when it is red. */
  readonly problem: string;
  readonly family: LlmFamily;
  readonly level: CheckLevel;
  readonly rule: string;
  readonly remedy: string;
  readonly judge: (probe: LlmProbe) => Promise<Finding>;
}

export const PASS: Finding = { verdict: 'pass' };

export const fail = (detail: string, expected: string, exchange?: Exchange): Finding => ({
  verdict: 'fail',
  detail,
  expected,
  ...(exchange === undefined ? {} : { exchange }),
});

/** A part of the suite that costs more, and was not asked for. */
export const notRequested = (flag: string, what: string): Finding => ({
  verdict: 'not-applicable',
  detail: `Not requested: ${flag} ${what}.`,
});

/** The first finding that is not a pass, or a pass. */
export const firstOf = (...findings: readonly (Finding | undefined)[]): Finding =>
  findings.find((finding) => finding !== undefined && finding.verdict !== 'pass') ?? PASS;
