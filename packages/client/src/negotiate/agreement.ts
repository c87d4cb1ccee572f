import type { JsonObject, Revision } from '@plugboard/wire';

/** What both sides settled on, and what the server said of itself. */
export interface Agreement {
  readonly revision: Revision;
  /** The version as the server spelt it. */
  readonly version: string;
  readonly serverInfo: JsonObject | undefined;
  readonly capabilities: JsonObject;
  readonly instructions: string | undefined;
}

/** Who we are, as the handshake and each modern request tell it. */
export interface ClientIdentity {
  readonly clientInfo: JsonObject;
  readonly capabilities: JsonObject;
}
