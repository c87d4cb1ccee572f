import { completionMutants } from './completion.js';
import { jsonRpcMutants } from './json-rpc.js';
import { lifecycleMutants } from './lifecycle.js';
import { loggingMutants } from './logging.js';
import type { Mutant } from './mutant.js';
import { paginationMutants } from './pagination.js';
import { promptMutants } from './prompts.js';
import { MutantServer } from './reference-server.js';
import { resourceMutants } from './resources.js';
import { stdioMutants } from './stdio.js';
import { toolMutants } from './tools.js';

/** Every mutant there is. One line per family. */
export const MUTANTS: readonly Mutant[] = [
  ...lifecycleMutants,
  ...jsonRpcMutants,
  ...stdioMutants,
  ...toolMutants,
  ...resourceMutants,
  ...promptMutants,
  ...completionMutants,
  ...loggingMutants,
  ...paginationMutants,
];

/** The server with this defect. */
export const mutantServer = ({ mutation }: Mutant): MutantServer =>
  new MutantServer(typeof mutation === 'function' ? mutation() : mutation);
