import { pause } from '@plugboard/base';
import { Agent, type Dispatcher } from 'undici';
import type { ProcessLease, SupervisedProcess } from './supervised-process.js';

const CONNECTIONS = 128;
const KEEP_ALIVE_MS = 4_000;
/** A program that crashes breaks its connections a moment before the hub hears of its end. */
const NOTICE_MS = 100;

export interface LaunchedDispatcherOptions {
  /** The program; what its users get is the port that it listens on. */
  readonly program: SupervisedProcess<number>;
  readonly host: string;
  /** Makes the connections; one over the network when left out. */
  readonly agent?: Dispatcher | undefined;
}

/**
 * Connections to a program of ours that listens on a port: the first request starts it, and one after a crash waits for the
 * next start. Requests go to the port of that start. While the dispatcher is open, the program counts as used.
 */
const networkAgent = (): Dispatcher =>
  new Agent({
    connections: CONNECTIONS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
  });

/** Passes everything on, and tells when a request fails. */
const tellingFailure = (handler: Dispatcher.DispatchHandler, onFailure: () => void): Dispatcher.DispatchHandler => ({
  onRequestStart: (...told) => handler.onRequestStart?.(...told),
  onRequestUpgrade: (...told) => handler.onRequestUpgrade?.(...told),
  onResponseStart: (...told) => handler.onResponseStart?.(...told),
  onResponseData: (...told) => handler.onResponseData?.(...told),
  onResponseEnd: (...told) => handler.onResponseEnd?.(...told),
  onResponseError: (...told) => {
    onFailure();
    handler.onResponseError?.(...told);
  },
});

export const launchedDispatcher = ({
  program,
  host,
  agent = networkAgent(),
}: LaunchedDispatcherOptions): Dispatcher => {
  const life = new AbortController();
  let used: ProcessLease<number> | undefined;
  let brokenAt = Number.NEGATIVE_INFINITY;
  const noteBroken = (): void => {
    brokenAt = performance.now();
  };
  const acquire = async (): Promise<number> => {
    // Otherwise the retry of the call that broke goes to a port where nobody listens any more.
    const waitMs = brokenAt + NOTICE_MS - performance.now();
    if (waitMs > 0) await pause(waitMs, life.signal);
    const lease = await program.acquire(life.signal);
    if (used === undefined && !life.signal.aborted) used = lease;
    else lease[Symbol.dispose]();
    return lease.connection;
  };
  const composed = agent.compose((dispatch) => (options, handler) => {
    acquire().then(
      (port) => dispatch({ ...options, origin: `http://${host}:${port}` }, tellingFailure(handler, noteBroken)),
      (thrown: unknown) => {
        // Nothing was sent yet, so there is no controller.
        handler.onResponseError?.(undefined as never, thrown instanceof Error ? thrown : new Error(String(thrown)));
      },
    );
    return true;
  });
  const release = (): void => {
    life.abort();
    used?.[Symbol.dispose]();
    used = undefined;
  };
  return new Proxy(composed, {
    get: (target, key) => {
      if (key === 'destroy' || key === 'close') release();
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
};
