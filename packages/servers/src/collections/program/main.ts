import { asProgram } from '../../serve/as-program.js';
import { collectionsProgram } from './collections-program.js';

await asProgram(collectionsProgram, process);
