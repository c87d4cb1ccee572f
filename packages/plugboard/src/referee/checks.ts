// The checks and what writes their reports: much code, loaded when the first run begins or the first report is read.
export { CHECKS, REPORTERS, runChecks } from '@plugboard/check';
