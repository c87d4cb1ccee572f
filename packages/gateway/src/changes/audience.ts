import type { JsonRpcNotification } from '@plugboard/wire';
import type { ClientSession } from '../call/mcp-call.js';
import type { Scope } from '../scope/scope.js';
import type { UpstreamLink } from '../upstream/upstream-link.js';

export type ListArea = 'tools' | 'prompts' | 'resources';

/** Somebody who is told of changes behind an endpoint: a legacy session, or a modern subscription. */
export interface Audience {
  readonly scope: Scope;
  /** The session that it is, when it is one. */
  readonly session?: ClientSession | undefined;
  wants(area: ListArea): boolean;
  /** Is it subscribed to this resource over this connection? */
  watches(uri: string, link: UpstreamLink): boolean;
  tell(notification: JsonRpcNotification): void;
}
