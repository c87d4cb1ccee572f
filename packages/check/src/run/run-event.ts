import type { CheckedServer, CheckReport, CheckResult } from '@plugboard/contract';

/** What happens during a run, for those who watch. */
export type RunEvent =
  | { readonly type: 'reached'; readonly server: CheckedServer; readonly planned: number }
  | { readonly type: 'started'; readonly id: string; readonly era: CheckResult['era'] }
  | { readonly type: 'judged'; readonly result: CheckResult; readonly done: number; readonly planned: number }
  | { readonly type: 'finished'; readonly report: CheckReport };
