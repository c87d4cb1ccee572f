// What measures a server and writes the reports: loaded when the first benchmark begins or the first report is read.
export { BENCH_REPORTERS, runBench } from '@plugboard/check';
