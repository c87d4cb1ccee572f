/** Where a fault strikes: before the server has the request, or in its answer. */
export type FaultPhase = 'request' | 'response';

/** What goes wrong between a client and a server. Plain JSON, so that it also travels to another process. */
export type FaultAction =
  /** Each piece waits so long, give or take the jitter. */
  | { readonly kind: 'latency'; readonly ms: number; readonly jitterMs?: number }
  | { readonly kind: 'bandwidth'; readonly bytesPerSecond: number }
  /** Bytes arrive in small pieces. */
  | { readonly kind: 'slicer'; readonly bytes: number; readonly everyMs: number }
  /** The connection is reset; in the answer, after half of it. */
  | { readonly kind: 'reset' }
  /** The server's side of the connection ends without an answer. */
  | { readonly kind: 'half-close' }
  /** Nothing passes any more, and nothing is closed. */
  | { readonly kind: 'blackhole' }
  /** An HTTP status in place of the answer. */
  | { readonly kind: 'status'; readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  /** The session of this request does not exist any more: 404 for everything in it. */
  | { readonly kind: 'forget-session' }
  /** The length of the whole body is announced, and half of it is sent. */
  | { readonly kind: 'truncate' }
  /** Bytes that are no JSON in place of the body, or of the line. */
  | { readonly kind: 'garbage' }
  /** A second HTTP response on the kept connection that nobody asked for. */
  | { readonly kind: 'surplus' }
  /** An event stream ends before its answer. */
  | { readonly kind: 'drop-stream' }
  /** The streams that clients hold open with GET are cut. */
  | { readonly kind: 'drop-listeners' }
  | { readonly kind: 'duplicate-events' }
  | { readonly kind: 'reorder-events' }
  /** A line that is no JSON before the answer. */
  | { readonly kind: 'garbage-line' }
  /** A line arrives in pieces that split characters. */
  | { readonly kind: 'split'; readonly bytes: number; readonly everyMs: number }
  /** Nothing is written for a while. */
  | { readonly kind: 'stall'; readonly ms: number }
  /** The process ends, as from a crash. */
  | { readonly kind: 'kill' }
  /** The process stands still for a while (SIGSTOP, SIGCONT). */
  | { readonly kind: 'stop'; readonly ms: number }
  | { readonly kind: 'wrong-id' }
  | { readonly kind: 'duplicate-response' }
  | { readonly kind: 'late-response'; readonly ms: number };

export type FaultKind = FaultAction['kind'];

export type ProxyFault = FaultAction & {
  /** Default: `response`. */
  readonly phase?: FaultPhase;
  /** Only messages that hold this text. Shaping of bytes needs none. */
  readonly match?: string;
  /** How often it strikes; without end when absent. */
  readonly times?: number;
  /** Between 0 and 1; always when absent. Drawn from the seed. */
  readonly probability?: number;
};

/** The faults that change how bytes flow while they are armed. */
export const SHAPING: readonly FaultKind[] = ['latency', 'bandwidth', 'slicer'];
/** The faults of a single connection. */
export const CONNECTION: readonly FaultKind[] = ['reset', 'half-close', 'blackhole'];
