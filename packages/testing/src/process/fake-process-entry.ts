import { runFakeProcess } from './run-fake-process.js';

await runFakeProcess(process);
