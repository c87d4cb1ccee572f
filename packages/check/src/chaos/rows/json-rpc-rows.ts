import { between, EVERY_TRANSPORT, type FaultRow } from './fault-row.js';

const row = (given: Omit<FaultRow, 'layer' | 'transports'>): FaultRow => ({
  ...given,
  layer: 'JSON-RPC',
  transports: EVERY_TRANSPORT,
});

export const JSON_RPC_ROWS: readonly FaultRow[] = [
  row({
    id: 'RSL-40',
    title: 'Gives nobody an answer with an id that was not sent',
    fault: () => ({ kind: 'wrong-id' }),
    isForged: true,
    remedy: 'Match answers by their id, and drop those that match nothing.',
  }),
  row({
    id: 'RSL-41',
    title: 'Ignores the second answer to a request',
    fault: () => ({ kind: 'duplicate-response' }),
    isHarmless: true,
    remedy: 'Drop answers whose request was answered already.',
  }),
  row({
    id: 'RSL-42',
    title: 'A late answer disturbs no other call',
    fault: (random) => ({ kind: 'late-response', ms: between(random, 1_500, 2_500) }),
    remedy: 'Drop answers whose request was given up, and let no call wait for another.',
  }),
];
