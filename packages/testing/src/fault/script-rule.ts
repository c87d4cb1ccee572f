import type { Fault } from './fault.js';

/** A fault and the messages that it befalls; plain JSON. */
export interface ScriptRule {
  /** A JSON-RPC method, `*`, an HTTP verb (`GET`, `DELETE`, `OPTIONS`), or `connection`. */
  readonly on: string;
  /** Only messages whose params.name or params.uri is this. */
  readonly name?: string;
  /** Counted from 1; default: from the first to the last. */
  readonly from?: number;
  readonly to?: number;
  readonly fault: Fault;
}
