import {
  type FaultRow,
  between,
  HTTP_TRANSPORTS,
  STREAMABLE_TRANSPORT,
  STDIO_TRANSPORT,
  EVERY_TRANSPORT,
} from './fault-row.js';

const RECONNECT = 'Open a new connection when one breaks, and retry only calls that provably did not run.';
const PATIENCE = 'Read until the message is complete, in whatever pieces it arrives.';

const TCP_ROWS: readonly FaultRow[] = [
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

const httpRow = (given: Omit<FaultRow, 'layer' | 'transports'>): FaultRow => ({
  ...given,
  layer: 'HTTP',
  transports: HTTP_TRANSPORTS,
});

/** What HTTP+SSE does not have: a session in a header, a stream for each call, calls without the listening stream. */
const streamable = (given: Omit<FaultRow, 'layer' | 'transports'>): FaultRow => ({
  ...httpRow(given),
  transports: STREAMABLE_TRANSPORT,
});

const HTTP_ROWS: readonly FaultRow[] = [
  httpRow({
    id: 'RSL-10',
    title: 'Recovers from a 503 in place of the answer',
    fault: (random) => ({ kind: 'status', status: between(random, 0, 1) === 0 ? 503 : 500, phase: 'request' }),
    remedy: 'Report the status as an error of that call, and keep the session.',
  }),
  httpRow({
    id: 'RSL-11',
    title: 'Does not repeat a call that ran and was answered with 502',
    fault: () => ({ kind: 'status', status: 502 }),
    remedy: 'A 502 does not tell whether the call ran. Retry it only if the tool is idempotent.',
  }),
  httpRow({
    id: 'RSL-12',
    title: 'Recovers from 429 with Retry-After',
    fault: () => ({ kind: 'status', status: 429, headers: { 'retry-after': '1' }, phase: 'request' }),
    remedy: 'Wait as long as Retry-After asks, or report the error; the session stays.',
  }),
  httpRow({
    id: 'RSL-13',
    title: 'Recovers from a 401 in the middle of a session',
    fault: () => ({
      kind: 'status',
      status: 401,
      headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
      phase: 'request',
    }),
    remedy: 'Renew the token or report the error; later calls must be tried again.',
  }),
  streamable({
    id: 'RSL-14',
    title: 'Recovers from a session that the server no longer knows (404)',
    fault: () => ({ kind: 'forget-session', phase: 'request' }),
    remedy: 'Start a new session with initialize, as the specification demands.',
  }),
  httpRow({
    id: 'RSL-15',
    title: 'Recovers from a body that ends too early',
    fault: () => ({ kind: 'truncate' }),
    remedy: 'Treat an incomplete body as a failed call of unknown outcome.',
  }),
  httpRow({
    id: 'RSL-16',
    title: 'Recovers from a body that is not JSON',
    fault: () => ({ kind: 'garbage' }),
    remedy: 'Treat a body that cannot be read as a failed call of unknown outcome.',
  }),
  httpRow({
    id: 'RSL-17',
    title: 'Drops surplus responses on a reused connection',
    fault: () => ({ kind: 'surplus' }),
    isHarmless: true,
    remedy: 'Close a connection when it receives unexpected bytes.',
  }),
  httpRow({
    id: 'RSL-18',
    title: 'Recovers from an event stream that ends before the answer',
    fault: () => ({ kind: 'drop-stream' }),
    remedy: 'Resume the stream with Last-Event-ID, or report the call as failed.',
  }),
  streamable({
    id: 'RSL-19',
    title: 'Does not need the listening stream for calls',
    fault: () => ({ kind: 'drop-listeners', phase: 'request' }),
    isHarmless: true,
    remedy: 'Open the stream again; calls do not depend on it.',
  }),
  httpRow({
    id: 'RSL-20',
    title: 'Tolerates events that arrive twice',
    fault: () => ({ kind: 'duplicate-events' }),
    isHarmless: true,
    remedy: 'Ignore an answer to a request that was answered already.',
  }),
  streamable({
    id: 'RSL-21',
    title: 'Tolerates events in another order',
    fault: () => ({ kind: 'reorder-events' }),
    isHarmless: true,
    needsEvents: true,
    remedy: 'Ignore notifications that come after the answer they belong to.',
  }),
];

const stdioRow = (given: Omit<FaultRow, 'layer' | 'transports'>): FaultRow => ({
  ...given,
  layer: 'stdio',
  transports: STDIO_TRANSPORT,
});

const RESTART = 'Restart the program when it exits, and retry only calls that provably did not run.';

const STDIO_ROWS: readonly FaultRow[] = [
  stdioRow({
    id: 'RSL-30',
    title: 'Ignores a line that is not JSON',
    fault: () => ({ kind: 'garbage-line' }),
    isHarmless: true,
    remedy: 'Skip lines that are not JSON-RPC messages.',
  }),
  stdioRow({
    id: 'RSL-31',
    title: 'Joins a line that arrives in pieces',
    fault: (random) => ({ kind: 'split', bytes: between(random, 3, 11), everyMs: 1 }),
    isHarmless: true,
    remedy: 'Collect bytes until the end of the line, and decode them then.',
  }),
  stdioRow({
    id: 'RSL-32',
    title: 'Recovers from a program that stalls',
    fault: (random) => ({ kind: 'stall', ms: between(random, 700, 1_200) }),
    remedy: 'Give every request a time limit; a late answer is no reason to end the program.',
  }),
  stdioRow({
    id: 'RSL-33',
    title: 'Recovers from a program that is killed before it reads the request',
    fault: () => ({ kind: 'kill', phase: 'request' }),
    remedy: RESTART,
  }),
  stdioRow({
    id: 'RSL-34',
    title: 'Recovers from a program that is killed before its answer is read',
    fault: () => ({ kind: 'kill' }),
    remedy: RESTART,
  }),
  stdioRow({
    id: 'RSL-35',
    title: 'Recovers from a program that is suspended (SIGSTOP)',
    fault: (random) => ({ kind: 'stop', ms: between(random, 700, 1_200), phase: 'request' }),
    remedy: 'Give every request a time limit; do not start a second program beside one that still lives.',
  }),
];

const jsonRpcRow = (given: Omit<FaultRow, 'layer' | 'transports'>): FaultRow => ({
  ...given,
  layer: 'JSON-RPC',
  transports: EVERY_TRANSPORT,
});

const JSON_RPC_ROWS: readonly FaultRow[] = [
  jsonRpcRow({
    id: 'RSL-40',
    title: 'Drops answers with an id that was not sent',
    fault: () => ({ kind: 'wrong-id' }),
    isForged: true,
    remedy: 'Match answers by their id, and drop those that match nothing.',
  }),
  jsonRpcRow({
    id: 'RSL-41',
    title: 'Ignores the second answer to a request',
    fault: () => ({ kind: 'duplicate-response' }),
    isHarmless: true,
    remedy: 'Drop answers whose request was answered already.',
  }),
  jsonRpcRow({
    id: 'RSL-42',
    title: 'A late answer does not disturb other calls',
    fault: (random) => ({ kind: 'late-response', ms: between(random, 1_500, 2_500) }),
    remedy: 'Drop answers whose request was given up, and let no call wait for another.',
  }),
];

/** Every row of the fault suite, from the wire upwards. */
export const FAULT_ROWS: readonly FaultRow[] = [...TCP_ROWS, ...HTTP_ROWS, ...STDIO_ROWS, ...JSON_RPC_ROWS];
