import type { Server } from '@plugboard/contract';
import type { OfferedTool } from './offered-tool.js';

/** What stands behind one MCP endpoint: a single server, all of them, or a curated selection. */
export interface Scope {
  /** Tells endpoints apart; a session belongs to one. */
  readonly id: string;
  /** `server`: one server under its own names. `merged`: several, with prefixed names. */
  readonly kind: 'server' | 'merged';
  /** Does the endpoint also offer prompts, resources and completion? */
  readonly offers: 'everything' | 'tools';
  readonly instructions?: string | undefined;
  /** The servers behind it that may be used, in a fixed order. */
  servers(): readonly Server[];
  /** In a fixed order; the same array as long as nothing changed. */
  tools(): readonly OfferedTool[];
  /** Throws TOOL_NOT_FOUND, or PERMISSION_DENIED when the tool is known and withheld. */
  findTool(name: string): OfferedTool;
}
