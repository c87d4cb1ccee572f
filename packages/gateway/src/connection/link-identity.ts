import type { Era, JsonObject } from '@plugboard/wire';
import type { ClientSession } from '../call/mcp-call.js';

/** Whose connection it is, and what the server is told of the client behind it. */
export interface LinkIdentity {
  /** Connections of one server with the same key are one. */
  readonly key: string;
  readonly capabilities?: JsonObject | undefined;
  readonly clientInfo?: JsonObject | undefined;
  /** The agent with whose variables the config is filled in. */
  readonly agent?: string | undefined;
  /** Whose login to the server it uses; the hub's when left out. */
  readonly login?: string | undefined;
  /** The only era that it may be opened in; when left out, the newest that the server speaks. */
  readonly era?: Era | undefined;
  /** The one client that it serves: it lives as long as that client's session. */
  readonly session?: ClientSession | undefined;
}

/** What stateless requests, syncs and probes use together. */
export const SHARED: LinkIdentity = { key: '' };

/** What decides how a server is reached, beside its config. */
export interface LinkOwner {
  /** The agent whose variables the config needs. */
  readonly agent?: string | undefined;
  /** Whose login is used, when it is not the hub's. */
  readonly login?: string | undefined;
}

/** What calls for the same owner use together: connections with other variables or tokens are never shared. */
export const ofOwner = ({ agent, login }: LinkOwner): LinkIdentity => {
  if (agent === undefined && login === undefined) return SHARED;
  const variables = agent === undefined ? '' : `variables of ${agent} `;
  return {
    key: variables + (login === undefined ? '' : `login of ${login} `),
    ...(agent === undefined ? {} : { agent }),
    ...(login === undefined ? {} : { login }),
  };
};
