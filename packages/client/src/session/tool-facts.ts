import type { ToolDefinition } from '@plugboard/contract';
import { encodeParamHeaders, isJsonObject, readParamHeaders } from '@plugboard/wire';
import type { LiveSession } from './live-session.js';

/** What is known of a server's tools from its last list: needed to call them rightly. */
export class ToolFacts {
  #tools = new Map<string, ToolDefinition>();

  remember(tools: readonly ToolDefinition[]): void {
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
  }

  clear(): void {
    this.#tools.clear();
  }

  find(name: string | undefined): ToolDefinition | undefined {
    return name === undefined ? undefined : this.#tools.get(name);
  }
}

/** Over modern HTTP a call repeats some of its parameters in header fields. */
export const mirrorsParams = (live: LiveSession | undefined): boolean =>
  live?.agreement.revision.features.methodHeaders === true && live.transport.kind === 'streamable_http';

/** The `Mcp-Param-*` fields of a call to a tool; none for a tool that is not known. */
export const paramHeadersOf = (tool: ToolDefinition | undefined, params: unknown): Readonly<Record<string, string>> => {
  const annotated = readParamHeaders(tool?.inputSchema);
  return annotated.valid
    ? encodeParamHeaders(annotated.headers, isJsonObject(params) ? params['arguments'] : undefined)
    : {};
};
