// process
export { launchProcess, type LaunchedProcess, type LaunchOptions } from './process/launch-process.js';
export type { ProcessSpec } from './process/process-spec.js';
export {
  describeExit,
  processExitedError,
  type ExitReason,
  type ExitReport,
  type StopReason,
} from './process/exit-report.js';
export { createParentDeathGuard, type ParentDeathGuard } from './process/parent-death-guard.js';
export type { StopGrace } from './process/stop-ladder.js';
// policy
export { composePolicies, type CallContext, type Policy } from './policy/policy.js';
