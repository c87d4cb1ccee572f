import type { FakeCall } from '../definition/tool-call.js';
import type { JsonObject, JsonRpcRequest } from '../json-rpc/message.js';
import type { Exchange } from './exchange.js';
import type { World } from './world.js';

/** What the implementation of a method is given. */
export interface MethodContext {
  readonly world: World;
  readonly exchange: Exchange;
  readonly request: JsonRpcRequest;
  /** Builds the context of a handler; `settings` are the tool's own. */
  readonly call: (settings?: JsonObject) => FakeCall;
}

export type Method = (params: JsonObject, context: MethodContext) => JsonObject | Promise<JsonObject>;
export type MethodTable = Readonly<Record<string, Method>>;
