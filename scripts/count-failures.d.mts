export declare const countFailures: (
  result: { readonly numFailedTests: number; readonly success: boolean } | undefined,
  found: { readonly failures: readonly unknown[] } | undefined,
) => number;
