import type { CatalogueEntry, Server } from '@plugboard/contract';
import type { OfferedTool, ServerTool } from './offered-tool.js';

/** What one session has in another way than everybody. */
export interface SessionTools {
  /** Tools beside those of the endpoint. */
  more(): readonly ServerTool[];
  /** Is this tool of the endpoint hidden from the session, or replaced? */
  covers(offered: OfferedTool): boolean;
}

/** What stands behind one MCP endpoint: a single server, all of them, or a curated selection. */
export interface Scope {
  /** Tells endpoints apart; a session belongs to one. */
  readonly id: string;
  /** `server`: one server under its own names. `merged`: several, with prefixed names. */
  readonly kind: 'server' | 'merged';
  /** Does the endpoint also offer prompts, resources and completion? */
  readonly offers: 'everything' | 'tools';
  /** Is it a toolset? Then a caller may use what the toolset gives it, with its presets. */
  readonly curated?: boolean | undefined;
  readonly instructions?: string | undefined;
  /** The servers behind it that may be used, in a fixed order. */
  servers(): readonly Server[];
  /** In a fixed order; the same array as long as nothing changed. */
  tools(): readonly OfferedTool[];
  /** Every tool that can be called, where `tools` lists others that stand for them. */
  readonly callable?: (() => readonly ServerTool[]) | undefined;
  /** Throws TOOL_NOT_FOUND, or PERMISSION_DENIED when the tool is known and withheld. */
  findTool(name: string): OfferedTool;
  /** How the endpoint would offer these tools of a server, of which the catalogue knows nothing. */
  extras(entry: CatalogueEntry): readonly ServerTool[];
  /** Present when the endpoint is seen through a session that has lists of its own. */
  readonly ofSession?: SessionTools | undefined;
}
