import type { Check } from '../model/check.js';
import { completionChecks } from './completion/index.js';
import { jsonRpcChecks } from './json-rpc/index.js';
import { lifecycleChecks } from './lifecycle/index.js';
import { loggingChecks } from './logging/index.js';
import { paginationChecks } from './pagination/index.js';
import { promptChecks } from './prompts/index.js';
import { resourceChecks } from './resources/index.js';
import { stdioChecks } from './stdio/index.js';
import { toolChecks } from './tools/index.js';

/** Every check there is, in the order of a report. One line per family. */
export const CHECKS: readonly Check[] = [
  ...lifecycleChecks,
  ...jsonRpcChecks,
  ...stdioChecks,
  ...toolChecks,
  ...resourceChecks,
  ...promptChecks,
  ...completionChecks,
  ...loggingChecks,
  ...paginationChecks,
];
