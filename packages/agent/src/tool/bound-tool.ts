import { McpClientError, type McpClient } from '@plugboard/client';
import type { AgentServer, ToolDefinition, ToolOrigin } from '@plugboard/contract';
import { type Adaptation, gradeTool, type ProfileId, refitTool } from '@plugboard/schema';
import { isJsonObject } from '@plugboard/base';
import { wellFormedValue } from '../conversation/well-formed.js';
import { type Bindings, hideBound } from '../discover/bind-arguments.js';
import { findDrift } from '../discover/drift.js';
import { cutResult } from '../result/cut-result.js';
import { instruction, type ToolOutcome } from '../result/tool-outcome.js';
import type { AgentTool, AgentToolMetadata, CallOptions } from './agent-tool.js';
import { ToolCallError } from './tool-call-error.js';

export interface BoundToolOptions {
  readonly server: AgentServer;
  readonly client: McpClient;
  /** As the server listed it, or as the agent has it in its cache. */
  readonly listed: ToolDefinition;
  /** Of a tool of a hub: where the hub has it from. */
  readonly origin: ToolOrigin | undefined;
  readonly adaptation: Adaptation;
  readonly provider: ProfileId;
  readonly maxResultCharacters: number;
  readonly onWarning: (message: string) => void;
}

const metadataOf = ({ server, origin }: BoundToolOptions, listed: ToolDefinition): AgentToolMetadata => ({
  tool_type: 'mcp',
  display_name: origin?.name ?? listed.name,
  folder_path: server.folder_path,
  slug: origin?.server_name ?? server.slug,
  server_id: origin?.server_id ?? server.id,
  server_name: origin?.server_name ?? server.name,
  tags: [...server.tags, ...(origin?.tags ?? [])],
  annotations: listed.annotations,
  grade: gradeTool(listed),
});

const typeWord = (schema: unknown): string => {
  const type = isJsonObject(schema) ? schema['type'] : undefined;
  if (typeof type === 'string') return type;
  return Array.isArray(type) ? type.join(' or ') : 'any type';
};

/** The parameters of a tool in one line: `city (string), days (integer, optional)`. */
const describeParameters = (schema: unknown): string => {
  const properties = isJsonObject(schema) && isJsonObject(schema['properties']) ? schema['properties'] : {};
  const required = isJsonObject(schema) && Array.isArray(schema['required']) ? schema['required'] : [];
  const words = Object.entries(properties).map(
    ([name, property]) => `${name} (${typeWord(property)}${required.includes(name) ? '' : ', optional'})`,
  );
  return words.length === 0 ? 'none' : words.join(', ');
};

/** A tool bound to the client of its server. */
export class BoundTool implements AgentTool {
  readonly name: string;
  readonly upstreamName: string;
  readonly #options: BoundToolOptions;
  readonly #bindings: Bindings;
  #listed: ToolDefinition;
  #adaptation: Adaptation;

  constructor(options: BoundToolOptions) {
    this.#options = options;
    this.#listed = options.listed;
    this.#adaptation = options.adaptation;
    this.#bindings = options.server.bindings[options.listed.name] ?? {};
    this.name = options.adaptation.definition.name;
    this.upstreamName = options.listed.name;
  }

  get definition(): ToolDefinition {
    return this.#adaptation.definition;
  }

  get profile(): ProfileId {
    return this.#adaptation.plan.profile;
  }

  get metadata(): AgentToolMetadata {
    return metadataOf(this.#options, this.#listed);
  }

  async call(args: unknown, options: CallOptions = {}): Promise<ToolOutcome> {
    const changed = await this.#refresh(options.signal);
    if (changed !== undefined) return changed;
    const restored = this.#adaptation.restore(args);
    if (!restored.ok) {
      const problems = restored.problems.map(({ pointer, message }) =>
        pointer === '' ? message : `${pointer}: ${message}`,
      );
      return instruction('invalid-arguments', `The arguments are not valid. ${problems.join(' ')}`);
    }
    return this.#send({ ...restored.args, ...this.#bindings }, options);
  }

  async #send(args: Readonly<Record<string, unknown>>, options: CallOptions): Promise<ToolOutcome> {
    try {
      const result = await this.#options.client.callTool(this.upstreamName, args, { ...options, tool: this.#listed });
      return cutResult(result, this.#options.maxResultCharacters);
    } catch (error) {
      throw error instanceof McpClientError ? new ToolCallError(this.upstreamName, error) : error;
    }
  }

  /** Looks whether the server still has the tool that the model was told about. */
  async #refresh(signal: AbortSignal | undefined): Promise<ToolOutcome | undefined> {
    const { discovery } = this.#options.server;
    if (discovery.mode !== 'cached' || !discovery.refresh_schema_before_call) return undefined;
    const listed = await this.#list(signal);
    if (listed === undefined) return undefined;
    const drift = findDrift(this.#listed, listed);
    switch (drift.kind) {
      case 'none':
        return undefined;
      case 'removed':
        return instruction(
          'tool-removed',
          `The tool ${this.name} no longer exists on its server. Do not call it again.`,
        );
      case 'broken':
        return this.#accept(drift.now);
      default:
        return drift satisfies never;
    }
  }

  async #list(signal: AbortSignal | undefined): Promise<readonly ToolDefinition[] | undefined> {
    try {
      return await this.#options.client.listTools({ signal });
    } catch (error) {
      signal?.throwIfAborted();
      const reason = error instanceof Error ? error.message : String(error);
      this.#options.onWarning(
        `The tools of ${this.#options.server.name} could not be listed before a call of ${this.name}; its cached schema is used. ${reason}`,
      );
      return undefined;
    }
  }

  #accept(now: ToolDefinition): ToolOutcome {
    const notCalled = `The parameters of ${this.name} have changed, so it was not called.`;
    // Nobody can say whether the fixed values still mean what they meant.
    if (Object.keys(this.#bindings).length > 0) {
      return instruction(
        'schema-changed',
        `${notCalled} It has fixed arguments: its owner must review them. Do not call it again.`,
      );
    }
    const adaptation = refitTool(wellFormedValue(hideBound(now, this.#bindings)), this.#options.provider, {
      name: this.name,
    });
    if (adaptation.verdict === 'rejected') {
      return instruction(
        'schema-changed',
        `${notCalled} The new ones cannot be used with this model. Do not call it again.`,
      );
    }
    this.#listed = now;
    this.#adaptation = adaptation;
    return instruction(
      'schema-changed',
      `${notCalled} Call it again with the new parameters: ${describeParameters(adaptation.definition.inputSchema)}.`,
    );
  }
}
