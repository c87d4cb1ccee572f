/** What a matcher of vitest answers. */
export interface Verdict {
  readonly pass: boolean;
  readonly message: () => string;
  readonly actual?: unknown;
  readonly expected?: unknown;
}

/** `what` completes the sentence "expected … (not) to …". */
export const verdict = (pass: boolean, what: string, detail: Pick<Verdict, 'actual' | 'expected'> = {}): Verdict => ({
  pass,
  message: () => `expected the subject ${pass ? 'not ' : ''}to ${what}`,
  ...detail,
});
