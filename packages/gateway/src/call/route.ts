import type { Server } from '@plugboard/contract';
import type { JsonObject } from '@plugboard/wire';
import type { OfferedTool } from './offered-tool.js';
import type { McpCall } from './mcp-call.js';

/** Where a request goes. */
export type Route =
  /** The hub answers. */
  | { readonly kind: 'own'; readonly answer: () => unknown }
  /** A tool that the hub itself runs. */
  | { readonly kind: 'local-tool'; readonly tool: OfferedTool; readonly run: () => Promise<unknown> }
  | UpstreamRoute;

export interface UpstreamRoute {
  readonly kind: 'upstream';
  readonly server: Server;
  readonly method: string;
  /** With the names that the server knows. */
  readonly params: JsonObject;
  /** For tools/call. */
  readonly tool?: OfferedTool | undefined;
  /** For requests about a task that a tool began: asks the connection that knows the task. */
  readonly followTask?: ((call: McpCall, route: UpstreamRoute) => Promise<unknown>) | undefined;
}
