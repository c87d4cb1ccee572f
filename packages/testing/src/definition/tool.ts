import type { JsonObject } from '../json-rpc/message.js';
import type { StockToolName } from './stock-tool-name.js';
import type { FakeCall } from './tool-call.js';

/** A string becomes one text block; an object is the result itself. */
export type ToolAnswer = string | JsonObject;
export type ToolHandler = (args: JsonObject, call: FakeCall) => ToolAnswer | Promise<ToolAnswer>;

export interface FakeTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** Unchecked on purpose: broken schemas are what fakes are for. */
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
  readonly annotations?: JsonObject;
  readonly _meta?: JsonObject;
  /** Further members of the listed definition. */
  readonly extra?: JsonObject;
  /** A function, or the name of a stock handler (the only kind that reaches a real process). */
  readonly handler?: ToolHandler | StockToolName;
  /** Handed to the handler as `call.settings`. */
  readonly settings?: JsonObject;
  /** A canned result, when there is no handler. */
  readonly result?: ToolAnswer;
}

/** A tool, or the name of a stock one. */
export type ToolSpec = FakeTool | StockToolName;
