import { repairCapabilities, repairServerInfo } from '@plugboard/schema';
import type { Era, JsonObject } from '@plugboard/wire';
import type { UpstreamClient } from './upstream-client.js';

/** What a server last said of itself. */
export interface ServerFacts {
  readonly era: Era;
  /** Was the connection opened for this era only? Then the server speaks the other one as well. */
  readonly pinned: boolean;
  readonly revision: string;
  readonly transport: 'stdio' | 'sse' | 'streamable_http';
  /** Does it give out session ids? Then it may keep something behind them. */
  readonly hasSessions: boolean;
  readonly capabilities: JsonObject;
  readonly serverInfo: JsonObject | undefined;
  readonly instructions: string | undefined;
}

/** Does a server say the same of itself as before? */
export const sameFacts = (one: ServerFacts, other: ServerFacts | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** The facts of a live connection; undefined when there is none. */
export const factsOf = (client: UpstreamClient, pinned: boolean): ServerFacts | undefined => {
  const { protocol, capabilities, serverInfo, instructions, sessionId } = client;
  if (protocol === undefined) return undefined;
  const { era, revision, transport } = protocol;
  return {
    era,
    pinned,
    revision,
    transport,
    hasSessions: era === 'legacy' && (transport !== 'streamable_http' || sessionId !== undefined),
    capabilities: repairCapabilities(capabilities ?? {}),
    serverInfo: serverInfo && repairServerInfo(serverInfo),
    instructions: typeof instructions === 'string' ? instructions : undefined,
  };
};
