import type { ToolDefinition } from '@plugboard/contract';
import { encodeParamHeaders, isJsonObject, readParamHeaders } from '@plugboard/wire';
import type { LiveSession } from '../session/live-session.js';

/** The tools of the server's last list. Calls need their annotations and header parameters. */
export class ToolFacts {
  #byName = new Map<string, ToolDefinition>();
  #list: Promise<readonly ToolDefinition[]> | undefined;

  /** The last list while it holds, otherwise a new one; one reading serves all callers. */
  list(read: () => Promise<readonly ToolDefinition[]>): Promise<readonly ToolDefinition[]> {
    this.#list ??= this.refresh(read);
    return this.#list;
  }

  refresh(read: () => Promise<readonly ToolDefinition[]>): Promise<readonly ToolDefinition[]> {
    const reading = read().then((tools) => {
      this.#byName = new Map(tools.map((tool) => [tool.name, tool]));
      return tools;
    });
    this.#list = reading;
    reading.catch(() => {
      if (this.#list === reading) this.#list = undefined;
    });
    return reading;
  }

  /** The list has changed; what is known of a tool holds until the next one is read. */
  expire(): void {
    this.#list = undefined;
  }

  clear(): void {
    this.#list = undefined;
    this.#byName.clear();
  }

  find(name: string | undefined): ToolDefinition | undefined {
    return name === undefined ? undefined : this.#byName.get(name);
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
