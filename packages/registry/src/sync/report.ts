import type { PlugboardError, SyncReport } from '@plugboard/contract';
import type { Examination } from './examine-tools.js';
import type { SyncPlan } from './plan-sync.js';

interface ReportBase {
  readonly at: string;
  readonly dryRun: boolean;
}

/** The list could not be read; nothing was changed. */
export const failedReport = (error: PlugboardError, { at, dryRun }: ReportBase): SyncReport => ({
  status: 'failed',
  added: [],
  updated: [],
  deleted: [],
  skipped: [],
  failed: [],
  error: error.toJSON(),
  total: 0,
  dry_run: dryRun,
  at,
});

export const finishedReport = (examination: Examination, plan: SyncPlan, { at, dryRun }: ReportBase): SyncReport => ({
  status: examination.failed.length === 0 ? 'ok' : 'partial',
  added: [...plan.added],
  updated: [...plan.updated],
  deleted: [...plan.deleted],
  skipped: examination.tools
    .filter((tool) => tool.grade.status === 'INVALID')
    .map((tool) => ({ name: tool.definition.name, reasons: tool.grade.reasons })),
  failed: examination.failed,
  total: examination.tools.length + examination.failed.length,
  dry_run: dryRun,
  at,
});
