import type { JsonRpcNotification } from '@plugboard/wire';
import type { ClientSession } from '../../call/mcp-call.js';
import type { Scope } from '../../call/scope.js';
import type { UpstreamLink } from '../../connection/upstream-link.js';

export type ListArea = 'tools' | 'prompts' | 'resources';

/** Somebody who is told of changes behind an endpoint: a legacy session, or a modern subscription. */
export interface Audience {
  readonly scope: Scope;
  /** The session that it is, when it is one. */
  readonly session?: ClientSession | undefined;
  wants(area: ListArea): boolean;
  /** The URI under which it is subscribed to this resource over this connection; undefined when it is not. */
  watches(uri: string, link: UpstreamLink): string | undefined;
  tell(notification: JsonRpcNotification): void;
}
