import {
  PlugboardError,
  toPlugboardError,
  type AgentId,
  type LoginUser,
  type QuarantineRule,
  type ServerId,
  type ServerStatus,
  type SyncReport,
  type ToolDefinition,
} from '@plugboard/contract';
import { isoTime, type Clock } from '../port/clock.js';
import type { ServerReach } from '../port/server-reach.js';
import { requireReachable, serverNotFound } from '../server/reachable.js';
import type { Store, StoredServer, StoredTool, StoreTransaction } from '../store/store.js';
import { cancellable } from '../wait/cancellable.js';
import { examineTools, type Examination } from './examine-tools.js';
import type { ExaminedHere } from './examined-here.js';
import { listTools } from './list-tools.js';
import { planSync } from './plan-sync.js';
import { failedReport, finishedReport } from './report.js';
import { toolIdOf } from './tool-id.js';

export interface SyncContext {
  readonly store: Store;
  readonly reach: ServerReach;
  readonly clock: Clock;
  readonly stdioAllowed: boolean;
  readonly quarantineRule: QuarantineRule;
  /** What need not be examined again. */
  readonly examined?: ExaminedHere | undefined;
}

export interface SyncRequest {
  readonly id: ServerId;
  readonly dryRun: boolean;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  readonly agent?: AgentId | undefined;
  readonly user?: LoginUser | undefined;
}

// A config that keeps changing faster than the server can be asked must not keep a sync busy indefinitely.
const MAX_ATTEMPTS = 3;

const configKeepsChanging = (): PlugboardError =>
  new PlugboardError('CONFLICT', 'The config of the server kept changing while its tools were read.', {
    hint: 'Sync again when the config is final.',
  });

const requireStored = async (transaction: StoreTransaction, id: ServerId): Promise<StoredServer> => {
  const stored = await transaction.server(id);
  if (stored === undefined) throw serverNotFound(id);
  return stored;
};

const begin = (context: SyncContext, { id, dryRun }: SyncRequest): Promise<StoredServer> =>
  context.store.transaction(async (transaction) => {
    const stored = await requireStored(transaction, id);
    if (!dryRun) await transaction.markSync(id, isoTime(context.clock.now()));
    return stored;
  });

const readList = async (
  context: SyncContext,
  stored: StoredServer,
  { deadlineMs, signal, agent, user }: SyncRequest,
): Promise<readonly ToolDefinition[] | PlugboardError> => {
  try {
    requireReachable(stored, context.stdioAllowed);
    return await listTools(context.reach, stored.server, { deadlineMs, signal, agent, user });
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    return toPlugboardError(thrown);
  }
};

const planned = (
  { id, rule, at }: { readonly id: ServerId; readonly rule: QuarantineRule; readonly at: string },
  known: readonly StoredTool[],
  examination: Examination,
) =>
  planSync({
    serverId: id,
    known,
    rule,
    found: examination.tools,
    failedNames: examination.failed.map((tool) => tool.name),
    at,
    newToolId: (name) => toolIdOf(id, name),
  });

const finish = async (
  transaction: StoreTransaction,
  id: ServerId,
  outcome: { readonly report: SyncReport; readonly status: ServerStatus },
): Promise<void> => {
  await transaction.updateServer(id, { lastSync: outcome.report, status: outcome.status });
  await transaction.clearSyncMark(id);
};

const storeFailure = (
  context: SyncContext,
  { id, dryRun }: SyncRequest,
  error: PlugboardError,
): Promise<SyncReport> => {
  const at = isoTime(context.clock.now());
  const report = failedReport(error, { at, dryRun });
  return context.store.transaction(async (transaction) => {
    await requireStored(transaction, id);
    if (!dryRun) await finish(transaction, id, { report, status: { state: 'failing', at, error: error.toJSON() } });
    return report;
  });
};

/** Everything that the list changes, in one transaction; undefined when the config changed since the list was asked for. */
const storeList = (
  context: SyncContext,
  { id, dryRun }: SyncRequest,
  { asked, examination }: { readonly asked: StoredServer; readonly examination: Examination },
): Promise<SyncReport | undefined> => {
  const at = isoTime(context.clock.now());
  const protocol = context.reach.protocol(id);
  return context.store.transaction(async (transaction) => {
    const stored = await requireStored(transaction, id);
    if (stored.configRevision !== asked.configRevision) return undefined;
    const plan = planned({ id, rule: context.quarantineRule, at }, await transaction.tools(id), examination);
    const report = finishedReport(examination, plan, { at, dryRun });
    if (dryRun) return report;
    await transaction.deleteTools(id, plan.drop);
    await transaction.putTools(plan.put);
    if (protocol !== undefined) await transaction.updateServer(id, { protocol });
    await finish(transaction, id, { report, status: { state: 'ready', at } });
    return report;
  });
};

/**
 * Asks the server for its tools and stores what changed, all of it or nothing. A list that cannot be read is a report
 * with status `failed`, not an exception; a signal that aborts leaves the mark, so that the next start syncs again.
 */
export const syncServer = async (context: SyncContext, request: SyncRequest): Promise<SyncReport> => {
  for (let attempt = 1; ; attempt += 1) {
    const asked = await begin(context, request);
    const list = await readList(context, asked, request);
    if (list instanceof Error) return storeFailure(context, request, list);
    const recall = context.examined?.recall(request.id);
    const examination = await cancellable(examineTools(list, { recall }), request.signal);
    context.examined?.note(request.id, examination.tools);
    const report = await storeList(context, request, { asked, examination });
    if (report !== undefined) return report;
    if (attempt === MAX_ATTEMPTS) throw configKeepsChanging();
  }
};
