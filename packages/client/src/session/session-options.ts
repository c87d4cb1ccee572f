import type { ConnectConfig, Secret, ServerProtocol } from '@plugboard/contract';
import type { Era, JsonObject } from '@plugboard/wire';
import type { Dispatcher } from 'undici';
import type { DeadlineHint, Deadlines } from '../deadline/deadlines.js';
import type { ByteBudget } from '../read-buffer/byte-budget.js';
import type { NetworkOptions } from '../network/http-dispatcher.js';
import type { Launch, LaunchOptions } from '../supervisor/launch-process.js';
import type { CredentialSource } from '../transport/credential-source.js';
import type { Pace } from '../transport/transport.js';
import type { WireTap } from '../transport/wire-tap.js';
import type { ClientEvent } from './client-event.js';
import type { SessionStore } from './session-store.js';

/** Which server a client connects to, and how. */
export interface SessionOptions {
  readonly config: ConnectConfig;
  /** Secret values beside those of the config, such as variables in a URL or an argument. They are redacted in errors. */
  readonly secrets?: readonly Secret[] | undefined;
  /** The server's name in messages and metrics. */
  readonly name?: string | undefined;
  readonly clientInfo?: JsonObject | undefined;
  /** What this client offers to servers. Handlers that are registered before the first call add theirs. */
  readonly capabilities?: JsonObject | undefined;
  readonly deadlines?: Partial<Deadlines> | undefined;
  /** Replaces the hint of errors after a deadline. */
  readonly deadlineHint?: DeadlineHint | undefined;
  /** What the server spoke earlier. It saves the probe. */
  readonly remembered?: ServerProtocol | undefined;
  readonly onProtocol?: ((protocol: ServerProtocol) => void) | undefined;
  /** Uses this era only: no probe, no fallback. */
  readonly era?: Era | undefined;
  /** `post-sse` speaks list_tools and call_tool over `POST /sse` with an `x-session-id`. */
  readonly profile?: 'standard' | 'post-sse' | undefined;
  /** What a child process inherits, beside the env of the config. Nothing else is passed on. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** Starts the server's process, for example under a supervisor. */
  readonly launch?: Launch | undefined;
  readonly launchOptions?: LaunchOptions | undefined;
  readonly network?: NetworkOptions | undefined;
  readonly credentials?: CredentialSource | undefined;
  /** Makes the connections to the server's origin. Called again after each `dispose`. */
  readonly createDispatcher?: ((url: URL, network: NetworkOptions) => Dispatcher) | undefined;
  readonly sessionStore?: SessionStore | undefined;
  /** Leaves the session open on the server when the client is disposed, so that it can be resumed. */
  readonly keepSession?: boolean | undefined;
  /** Backpressure of the one reader that the client serves: what it has not taken is not read from the server. */
  readonly paceOf?: (() => Pace | undefined) | undefined;
  /** Counts the bytes of answers while they are read. An answer that does not fit is OVERLOADED. */
  readonly memory?: ByteBudget | undefined;
  readonly onEvent?: ((event: ClientEvent) => void) | undefined;
  /** Sees every message of the full path, in both directions. Messages of the fast path are seen by their writer. */
  readonly tap?: WireTap | undefined;
}
