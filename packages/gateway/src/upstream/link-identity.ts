import type { JsonObject } from '@plugboard/wire';
import type { ClientSession } from '../call/mcp-call.js';

/** Whose connection it is, and what the server is told of the client behind it. */
export interface LinkIdentity {
  /** Connections of one server with the same key are one. */
  readonly key: string;
  readonly capabilities?: JsonObject | undefined;
  readonly clientInfo?: JsonObject | undefined;
  /** The agent with whose variables the config is filled in. */
  readonly agent?: string | undefined;
  /** The one client that it serves: it lives as long as that client's session. */
  readonly session?: ClientSession | undefined;
}

/** What stateless requests, syncs and probes use together. */
export const SHARED: LinkIdentity = { key: '' };

/** What calls for an agent use together, where the config of the server has templates that the agent fills in. */
export const ofAgent = (agent: string): LinkIdentity => ({ key: `variables of ${agent} `, agent });
