import { between, HTTP_TRANSPORTS, STREAMABLE_TRANSPORT, type FaultRow } from './fault-row.js';

const row = (given: Omit<FaultRow, 'layer' | 'transports'>): FaultRow => ({
  ...given,
  layer: 'HTTP',
  transports: HTTP_TRANSPORTS,
});

/** What HTTP+SSE does not have: a session in a header, a stream for each call, calls without the listening stream. */
const streamable = (given: Omit<FaultRow, 'layer' | 'transports'>): FaultRow => ({
  ...row(given),
  transports: STREAMABLE_TRANSPORT,
});

export const HTTP_ROWS: readonly FaultRow[] = [
  row({
    id: 'RSL-10',
    title: 'Recovers from a 503 in place of the answer',
    fault: (random) => ({ kind: 'status', status: between(random, 0, 1) === 0 ? 503 : 500, phase: 'request' }),
    remedy: 'Report the status as an error of that call, and keep the session.',
  }),
  row({
    id: 'RSL-11',
    title: 'Does not repeat a call that ran and was answered with 502',
    fault: () => ({ kind: 'status', status: 502 }),
    remedy: 'A 502 does not tell whether the call ran. Repeat it only when the tool is idempotent.',
  }),
  row({
    id: 'RSL-12',
    title: 'Recovers from 429 with Retry-After',
    fault: () => ({ kind: 'status', status: 429, headers: { 'retry-after': '1' }, phase: 'request' }),
    remedy: 'Wait as long as Retry-After asks, or report the error; the session stays.',
  }),
  row({
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
  row({
    id: 'RSL-15',
    title: 'Recovers from a body that ends too early',
    fault: () => ({ kind: 'truncate' }),
    remedy: 'Treat an incomplete body as a failed call of unknown outcome.',
  }),
  row({
    id: 'RSL-16',
    title: 'Recovers from a body that is not JSON',
    fault: () => ({ kind: 'garbage' }),
    remedy: 'Treat a body that cannot be read as a failed call of unknown outcome.',
  }),
  row({
    id: 'RSL-17',
    title: 'Gives nobody the surplus response of a kept connection',
    fault: () => ({ kind: 'surplus' }),
    isHarmless: true,
    remedy: 'Close a connection on which bytes arrive that nobody asked for.',
  }),
  row({
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
  row({
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
