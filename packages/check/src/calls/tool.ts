import type { JsonObject } from '../connection/json.js';

/** A tool as the server lists it, unjudged. */
export interface ListedTool {
  readonly name: string;
  readonly inputSchema: unknown;
  readonly outputSchema: unknown;
  readonly annotations: JsonObject;
  /** The whole definition. */
  readonly definition: JsonObject;
}

/** A tool that may be called, and with what. */
export interface CallableTool extends ListedTool {
  /** Allowed explicitly: as often as a check likes. */
  readonly free: boolean;
  readonly arguments: readonly JsonObject[];
}
