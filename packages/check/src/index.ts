export { CHECKS } from './checks/registry.js';
export { type Launch, type Child, type LaunchOptions } from './connection/child.js';
export { type Check } from './model/check.js';
export { type Finding } from './model/finding.js';
export { runChecks, type RunOptions } from './run/run-checks.js';
export { type RunEvent } from './run/run-event.js';
export { exitCodeOf } from './run/summary.js';
export { checkTarget, type CheckTarget, type CheckTargetInput } from './target/target.js';
