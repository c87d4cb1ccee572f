import type { Server, Tool, ToolDefinition } from '@plugboard/contract';
import type { Era, JsonObject } from '@plugboard/wire';
import type { McpCall } from './mcp-call.js';

/** A tool of a registered server, under the name that an endpoint uses for it. */
export interface ServerTool {
  readonly kind: 'server';
  readonly name: string;
  /** As tools/list shows it, `name` included. */
  readonly definition: ToolDefinition;
  readonly server: Server;
  readonly tool: Tool;
  /** As the server defined it. */
  readonly upstreamDefinition: ToolDefinition;
  /** The era that the definition was read in; that of the catalogue when left out. */
  readonly readIn?: Era | undefined;
  /** Turns the arguments that the endpoint's definition asks for into those of the server. */
  readonly mapArguments?: ((args: JsonObject) => JsonObject) | undefined;
}

/** A tool that the hub runs itself. */
export interface LocalTool {
  readonly kind: 'local';
  readonly name: string;
  readonly definition: ToolDefinition;
  readonly run: (args: JsonObject, call: McpCall) => Promise<unknown>;
}

export type OfferedTool = ServerTool | LocalTool;
