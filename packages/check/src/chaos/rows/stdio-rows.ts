import { between, STDIO_TRANSPORT, type FaultRow } from './fault-row.js';

const row = (given: Omit<FaultRow, 'layer' | 'transports'>): FaultRow => ({
  ...given,
  layer: 'stdio',
  transports: STDIO_TRANSPORT,
});

const RESTART = 'Start the program again when it ends, and repeat only what provably did not run.';

export const STDIO_ROWS: readonly FaultRow[] = [
  row({
    id: 'RSL-30',
    title: 'Ignores a line that is not JSON',
    fault: () => ({ kind: 'garbage-line' }),
    isHarmless: true,
    remedy: 'Skip lines that are not JSON-RPC messages.',
  }),
  row({
    id: 'RSL-31',
    title: 'Joins a line that arrives in pieces',
    fault: (random) => ({ kind: 'split', bytes: between(random, 3, 11), everyMs: 1 }),
    isHarmless: true,
    remedy: 'Collect bytes until the end of the line, and decode them then.',
  }),
  row({
    id: 'RSL-32',
    title: 'Recovers from a program that stalls',
    fault: (random) => ({ kind: 'stall', ms: between(random, 700, 1_200) }),
    remedy: 'Give every request a time limit; a late answer is no reason to end the program.',
  }),
  row({
    id: 'RSL-33',
    title: 'Recovers from a program that is killed before it reads the request',
    fault: () => ({ kind: 'kill', phase: 'request' }),
    remedy: RESTART,
  }),
  row({
    id: 'RSL-34',
    title: 'Recovers from a program that is killed before its answer is read',
    fault: () => ({ kind: 'kill' }),
    remedy: RESTART,
  }),
  row({
    id: 'RSL-35',
    title: 'Recovers from a program that stands still (SIGSTOP)',
    fault: (random) => ({ kind: 'stop', ms: between(random, 700, 1_200), phase: 'request' }),
    remedy: 'Give every request a time limit; do not start a second program beside one that still lives.',
  }),
];
