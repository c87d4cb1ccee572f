import type { Server } from '../server/server.js';
import type { ToolDefinition } from '../tool/tool-definition.js';
import type { Tool } from '../tool/tool.js';
import type { Toolset } from '../toolset/toolset.js';

/** One server with what it was last known to offer. */
export interface CatalogueEntry {
  readonly server: Server;
  readonly tools: readonly Tool[];
  /**
   * The tools as they are listed, by the name the server knows: as the server sent them, unknown members included, but
   * for what clients would refuse the whole list for.
   */
  readonly definitions?: ReadonlyMap<string, ToolDefinition> | undefined;
}

/** What all servers offer, as last known: the registry publishes it, the gateway serves from it. */
export interface CatalogueSnapshot {
  /** Grows with every change, so that a reader can tell whether it has this one already. */
  readonly version: number;
  readonly entries: readonly CatalogueEntry[];
  /** By name. */
  readonly toolsets?: readonly Toolset[] | undefined;
}
