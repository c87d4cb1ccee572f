import type { Tracer } from '@opentelemetry/api';
import type { RelayPath } from '../call/relay-path.js';
import type { Limits } from './limit/call-limits.js';
import type { LoginSettled } from './login/ask-for-login.js';
import type { CallSink } from './observe/call-record.js';
import type { NoteOutcome } from './observe/note-servers.js';

/** What the hub does with every request beside answering it. */
export interface StepOptions {
  /** Without one, the client's trace context is only passed on. */
  readonly tracer?: Tracer | undefined;
  /** Called with every finished request. */
  readonly sinks: readonly CallSink[];
  /** Called with how each server was found; the registry keeps the state of servers. */
  readonly note?: NoteOutcome | undefined;
  readonly limits: Limits;
  readonly maxArgumentBytes: number;
  readonly maxResultBytes: number;
  /** Do sinks get the results of tools? Calls of tools then take the full path. */
  readonly keepsResults?: boolean | undefined;
  /** Called with the path that each call of a tool takes. */
  readonly onPath?: ((path: RelayPath) => void) | undefined;
  /** Waits for logins to servers; without it, clients get an error that names the URL. */
  readonly loginSettled?: LoginSettled | undefined;
}

/** Nothing is recorded or limited. */
export const NO_STEPS: StepOptions = { sinks: [], limits: {}, maxArgumentBytes: Infinity, maxResultBytes: Infinity };
