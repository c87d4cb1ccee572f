import { asProgram } from '../../serve/as-program.js';
import { sandboxProgram } from './sandbox-program.js';

await asProgram(sandboxProgram, process);
