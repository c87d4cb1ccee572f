import type { Grade, GradeReason, PlugboardError, SyncReport } from '@plugboard/contract';
import { repairableReasons } from '@plugboard/schema';
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
  repaired: [],
  failed: [],
  error: error.toJSON(),
  total: 0,
  dry_run: dryRun,
  at,
});

/** The tools that have such reasons, with them. */
const named = (
  tools: Examination['tools'],
  choose: (grade: Grade) => readonly GradeReason[],
): { name: string; reasons: GradeReason[] }[] =>
  tools
    .map((tool) => ({ name: tool.definition.name, reasons: [...choose(tool.grade)] }))
    .filter(({ reasons }) => reasons.length > 0);

export const finishedReport = (examination: Examination, plan: SyncPlan, { at, dryRun }: ReportBase): SyncReport => ({
  status: examination.failed.length === 0 ? 'ok' : 'partial',
  added: [...plan.added],
  updated: [...plan.updated],
  deleted: [...plan.deleted],
  skipped: named(examination.tools, ({ status, reasons }) => (status === 'INVALID' ? reasons : [])),
  repaired: named(examination.tools, ({ status, reasons }) => (status === 'INVALID' ? [] : repairableReasons(reasons))),
  ...(plan.quarantined.length === 0
    ? {}
    : {
        quarantined: plan.quarantined.map(({ upstreamName, quarantine }) => ({
          name: upstreamName,
          changes: [...(quarantine?.changes ?? [])],
        })),
      }),
  failed: examination.failed,
  total: examination.tools.length + examination.failed.length,
  dry_run: dryRun,
  at,
});
