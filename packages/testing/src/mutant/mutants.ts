import { jsonRpcMutants } from './json-rpc.js';
import { lifecycleMutants } from './lifecycle.js';
import type { Mutant } from './mutant.js';
import { MutantServer } from './reference-server.js';
import { stdioMutants } from './stdio.js';
import { toolMutants } from './tools.js';

/** Every mutant there is. One line per family. */
export const MUTANTS: readonly Mutant[] = [...lifecycleMutants, ...jsonRpcMutants, ...stdioMutants, ...toolMutants];

/** The server with this defect. */
export const mutantServer = ({ mutation }: Mutant): MutantServer =>
  new MutantServer(typeof mutation === 'function' ? mutation() : mutation);
