import type { ConnectConfig, Hint, Secret, ServerProtocol } from '@plugboard/contract';
import type { Era, JsonObject } from '@plugboard/wire';
import type { Dispatcher } from 'undici';
import type { ClientEvent } from './client-event.js';
import type { ByteBudget } from './memory/byte-budget.js';
import type { CallGate } from './policy/call-gate.js';
import type { Policy } from './policy/policy.js';
import type { LaunchOptions, LaunchedProcess } from './process/launch-process.js';
import type { ProcessSpec } from './process/process-spec.js';
import type { SessionStore } from './session/session-store.js';
import type { RepairResult } from './tool-access.js';
import type { CredentialSource } from './transport/credential-source.js';
import type { NetworkOptions } from './transport/http-dispatcher.js';
import type { Pace } from './transport/transport.js';
import type { WireTap } from './transport/wire-tap.js';

export interface Deadlines {
  /** From the first byte to an agreed session. */
  readonly connectMs: number;
  /** For each page of a list. */
  readonly listMs: number;
  /** For any other request; progress starts it anew. */
  readonly callMs: number;
  /** For calls of single tools, by their name. */
  readonly toolMs?: Readonly<Record<string, number>> | undefined;
  /** The end that no progress can move. */
  readonly maxCallMs: number;
  /** The longest silence while an answer is on its way; undefined: any. */
  readonly idleMs: number | undefined;
  /** How long a server may think about the modern greeting before it gets the old one. */
  readonly probeMs: number;
}

export const DEFAULT_DEADLINES: Deadlines = {
  connectMs: 30_000,
  listMs: 30_000,
  callMs: 60_000,
  maxCallMs: 3_600_000,
  idleMs: undefined,
  probeMs: 5_000,
};

/** Which of the deadlines ended a request. */
export type DeadlineKind = 'connect' | 'list' | 'call';

export type DeadlineHint = (kind: DeadlineKind, toolName?: string) => Hint;

export type Launch = (spec: ProcessSpec, options: LaunchOptions) => Promise<LaunchedProcess>;

export interface McpClientOptions {
  readonly config: ConnectConfig;
  /** Values beside those of the config that must not be seen: what variables brought into a URL or an argument. */
  readonly secrets?: readonly Secret[] | undefined;
  /** The server's name in messages and metrics. */
  readonly name?: string | undefined;
  readonly clientInfo?: JsonObject | undefined;
  /** What this client offers to servers; handlers that are registered before the first call add theirs. */
  readonly capabilities?: JsonObject | undefined;
  readonly deadlines?: Partial<Deadlines> | undefined;
  /** What to do about a deadline that was too short, where whoever uses this client knows more than it does. */
  readonly deadlineHint?: DeadlineHint | undefined;
  /** What the server was seen to speak earlier: saves the probe. */
  readonly remembered?: ServerProtocol | undefined;
  readonly onProtocol?: ((protocol: ServerProtocol) => void) | undefined;
  /** Leaves the other era out: no probe, no fallback. */
  readonly era?: Era | undefined;
  /** `post-sse` speaks list_tools and call_tool over `POST /sse` with an `x-session-id`. */
  readonly profile?: 'standard' | 'post-sse' | undefined;
  /** What a child process inherits; the config's own env goes on top. Nothing else is passed on. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** Starts the server's process; a supervisor may take this over. */
  readonly launch?: Launch | undefined;
  readonly launchOptions?: LaunchOptions | undefined;
  readonly network?: NetworkOptions | undefined;
  readonly credentials?: CredentialSource | undefined;
  /** Builds the connections to the server's origin; called once per life of the client. */
  readonly createDispatcher?: ((url: URL, network: NetworkOptions) => Dispatcher) | undefined;
  readonly sessionStore?: SessionStore | undefined;
  /** Leaves the session open on the server when the client is disposed, so that it can be resumed. */
  readonly keepSession?: boolean | undefined;
  /** How often a call is repeated when that is safe. */
  readonly maxRetries?: number | undefined;
  readonly policies?: readonly Policy[] | undefined;
  /** The same policies for calls that take the short way. Where there are policies and no gate, none does. */
  readonly gate?: CallGate | undefined;
  /** Should the stream for unasked messages be opened? `auto`: once somebody listens. */
  readonly serverStream?: 'auto' | 'never' | undefined;
  /** For a client that serves one reader, now: what that one has not taken yet is not read from the server either. */
  readonly paceOf?: (() => Pace | undefined) | undefined;
  /** Counts what is kept of answers while they are read; what has no room is OVERLOADED. */
  readonly memory?: ByteBudget | undefined;
  /** Makes malformed results of `callTool` usable. Without it they are UPSTREAM_PROTOCOL. */
  readonly repairResult?: RepairResult | undefined;
  readonly onEvent?: ((event: ClientEvent) => void) | undefined;
  /** Sees every message of the ordinary path, in both directions; those of the direct line are seen by whoever writes them. */
  readonly tap?: WireTap | undefined;
}
