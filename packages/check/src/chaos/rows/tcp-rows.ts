import { between, HTTP_TRANSPORTS, type FaultRow } from './fault-row.js';

const RECONNECT = 'Open a new connection when one breaks, and repeat only what provably did not run.';
const PATIENCE = 'Read until the message is complete, whatever the pieces in which it comes.';

export const TCP_ROWS: readonly FaultRow[] = [
  {
    id: 'RSL-01',
    title: 'Latency with jitter only slows a call down',
    layer: 'TCP',
    transports: HTTP_TRANSPORTS,
    fault: (random) => ({ kind: 'latency', ms: between(random, 150, 250), jitterMs: 100 }),
    isHarmless: true,
    remedy: 'Allow for slow networks in every timeout.',
  },
  {
    id: 'RSL-02',
    title: 'A narrow connection only slows a call down',
    layer: 'TCP',
    transports: HTTP_TRANSPORTS,
    fault: (random) => ({ kind: 'bandwidth', bytesPerSecond: between(random, 4_000, 8_000) }),
    isHarmless: true,
    remedy: PATIENCE,
  },
  {
    id: 'RSL-03',
    title: 'Bytes may arrive in small pieces',
    layer: 'TCP',
    transports: HTTP_TRANSPORTS,
    fault: (random) => ({ kind: 'slicer', bytes: between(random, 5, 13), everyMs: 1 }),
    isHarmless: true,
    remedy: PATIENCE,
  },
  {
    id: 'RSL-04',
    title: 'Recovers from a connection that is reset before the request arrives',
    layer: 'TCP',
    transports: HTTP_TRANSPORTS,
    fault: () => ({ kind: 'reset', phase: 'request' }),
    remedy: RECONNECT,
  },
  {
    id: 'RSL-05',
    title: 'Recovers from a connection that is reset in the middle of the answer',
    layer: 'TCP',
    transports: HTTP_TRANSPORTS,
    fault: () => ({ kind: 'reset' }),
    remedy: RECONNECT,
  },
  {
    id: 'RSL-06',
    title: 'Recovers from a connection that the server half closes without an answer',
    layer: 'TCP',
    transports: HTTP_TRANSPORTS,
    fault: () => ({ kind: 'half-close' }),
    remedy: RECONNECT,
  },
  {
    id: 'RSL-07',
    title: 'Recovers from a request that disappears',
    layer: 'TCP',
    transports: HTTP_TRANSPORTS,
    fault: () => ({ kind: 'blackhole', phase: 'request' }),
    remedy: 'Give every request a time limit, and do not let one that waits block the others.',
  },
  {
    id: 'RSL-08',
    title: 'Recovers from an answer that disappears',
    layer: 'TCP',
    transports: HTTP_TRANSPORTS,
    fault: () => ({ kind: 'blackhole' }),
    remedy: 'Give every request a time limit, and do not let one that waits block the others.',
  },
];
