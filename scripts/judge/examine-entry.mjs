// Examines one target, which it reads from stdin as JSON, and writes the report and the number of processes that it started.
import { text } from 'node:stream/consumers';
import { CHECKS, checkTarget, runChecks } from '@plugboard/check';
// No part of what the package offers.
import { launchProgram } from '../../packages/check/dist/connection/child.js';

let starts = 0;
const { baseEnv, ...given } = JSON.parse(await text(process.stdin));
const report = await runChecks(checkTarget.parse(given), {
  checks: CHECKS,
  version: 'judge',
  baseEnv,
  launch: (options) => {
    starts += 1;
    return launchProgram(options);
  },
});
process.stdout.write(JSON.stringify({ report, starts }));
