import type { Tracer } from '@opentelemetry/api';
import type { FlowWatch } from '../call/flow-watch.js';
import type { CallLimits } from '../guard/call-limits.js';
import type { CallSink } from '../observe/call-record.js';
import type { NoteOutcome } from '../observe/note-servers.js';

/** Which way a call of a tool took, and why not the short one. */
export type RelayPath = 'direct' | DirectObstacle;

/** Why a call takes the ordinary way, from its beginning or from the middle. */
export type DirectObstacle =
  /** The message is not the plain form of a call, or its fields need a closer look. */
  | 'message'
  /** There is no such session, or it needs a closer look. */
  | 'session'
  /** The tool is not offered, is the hub's own, or its arguments are mapped. */
  | 'tool'
  /** Larger arguments than may be passed on. */
  | 'arguments'
  /** Parameters of the tool are repeated in HTTP fields. */
  | 'param-headers'
  /** There is no open connection for this client. */
  | 'connection'
  /** Client and server speak different eras or revisions. */
  | 'era'
  /** The server is not reached over Streamable HTTP, or a policy needs to see every call. */
  | 'transport'
  /** A limit is reached, the circuit is open, or all places are taken. */
  | 'limit'
  /** The answer was not what could be passed on as it came. */
  | 'unusual';

/** What the hub does around every call, for those that take the short way. */
export interface DirectSteps {
  readonly tracer: Tracer | undefined;
  /** Tells everybody who wants to know of finished requests. */
  readonly tell: CallSink;
  readonly note: NoteOutcome | undefined;
  readonly limits: CallLimits;
  readonly maxArgumentBytes: number;
  readonly maxResultBytes: number;
  readonly onPath?: ((path: RelayPath) => void) | undefined;
  /** Follows requests and messages on demand. */
  readonly flows?: FlowWatch | undefined;
}
