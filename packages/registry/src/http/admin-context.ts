import type { MasterKeyRotation } from '@plugboard/contract';
import type { AgentModels } from '../port/agent-models.js';
import type { BenchRuns } from '../port/bench-runs.js';
import type { CheckRuns } from '../port/check-runs.js';
import type { DataPlane } from '../port/data-plane.js';
import type { Monitor } from '../port/monitor.js';
import type { Plugins } from '../port/plugins.js';
import type { Samples } from '../port/samples.js';
import type { Log } from '../port/log.js';
import type { Registry } from '../facade/registry.js';
import type { AdminLimits } from './limits.js';

/** Where the admin API reports what nobody expected. */
export type AdminLog = Pick<Log, 'error'>;

/** Makes a new master key and seals everything with it. */
export type RotateMaster = () => Promise<MasterKeyRotation>;

/** What the routes work with. */
export interface AdminContext {
  readonly registry: Registry;
  readonly dataPlane: DataPlane;
  readonly version: string;
  readonly log: AdminLog;
  readonly limits: AdminLimits;
  /** Undefined where the key is not the hub's to change. */
  readonly rotateMaster?: RotateMaster | undefined;
  /** Undefined where nothing is judged. */
  readonly checks?: CheckRuns | undefined;
  /** Undefined where no load is put on servers. */
  readonly benchmarks?: BenchRuns | undefined;
  /** Undefined where the hub has none. */
  readonly plugins?: Plugins | undefined;
  /** Undefined where the hub has none. */
  readonly samples?: Samples | undefined;
  /** Undefined where nothing is probed. */
  readonly monitor?: Monitor | undefined;
  /** Undefined where no agent is asked. */
  readonly models?: AgentModels | undefined;
  readonly startedAt: number;
}
