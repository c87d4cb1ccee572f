import { asProgram } from '../../serve/as-program.js';
import { documentsProgram } from './documents-program.js';

await asProgram(documentsProgram, process);
