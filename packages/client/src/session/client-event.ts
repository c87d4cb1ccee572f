import type { ServerProtocol } from '@plugboard/contract';
import type { McpClientError } from '../error/client-error.js';
import type { TransportKind } from '../transport/transport.js';

/** What happens inside a client that an operator may want to see. */
export type ClientEvent =
  | { readonly type: 'session-opened'; readonly generation: number; readonly protocol: ServerProtocol }
  | { readonly type: 'session-lost'; readonly generation: number; readonly error: McpClientError }
  | { readonly type: 'transport-fallback'; readonly from: TransportKind; readonly to: TransportKind }
  | { readonly type: 'retry'; readonly method: string; readonly attempt: number; readonly error: McpClientError }
  | { readonly type: 'noise'; readonly text: string }
  | { readonly type: 'tool-rejected'; readonly tool: string; readonly reason: string };
