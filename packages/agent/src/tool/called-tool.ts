import type { ToolDefinition, ToolResult } from '@plugboard/contract';
import { type Adaptation, gradeTool, type ProfileId } from '@plugboard/schema';
import { cutResult } from '../result/cut-result.js';
import { instruction, type ToolOutcome } from '../result/tool-outcome.js';
import type { AgentTool, AgentToolMetadata, CallOptions } from './agent-tool.js';

/** A tool that somebody else calls: a hub, or your own code. */
export interface CallableTool {
  readonly server: string;
  readonly serverId?: string | undefined;
  readonly definition: ToolDefinition;
  readonly call: (args: Readonly<Record<string, unknown>>, options: CallOptions) => Promise<ToolResult>;
}

/** A tool whose calls go through a function. */
export class CalledTool implements AgentTool {
  readonly #tool: CallableTool;
  readonly #adaptation: Adaptation;
  readonly #maxResultCharacters: number;

  constructor(tool: CallableTool, adaptation: Adaptation, maxResultCharacters: number) {
    this.#tool = tool;
    this.#adaptation = adaptation;
    this.#maxResultCharacters = maxResultCharacters;
  }

  get name(): string {
    return this.#adaptation.definition.name;
  }

  get upstreamName(): string {
    return this.#tool.definition.name;
  }

  get definition(): ToolDefinition {
    return this.#adaptation.definition;
  }

  get profile(): ProfileId {
    return this.#adaptation.plan.profile;
  }

  get metadata(): AgentToolMetadata {
    const { server, serverId, definition } = this.#tool;
    return {
      tool_type: 'mcp',
      display_name: definition.name,
      folder_path: undefined,
      slug: undefined,
      server_id: serverId,
      server_name: server,
      tags: [],
      annotations: definition.annotations,
      grade: gradeTool(definition),
    };
  }

  async call(args: unknown, options: CallOptions = {}): Promise<ToolOutcome> {
    const restored = this.#adaptation.restore(args);
    if (!restored.ok) {
      const problems = restored.problems.map(({ pointer, message }) => `${pointer} ${message}`.trim());
      return instruction('invalid-arguments', `The arguments are not valid. ${problems.join(' ')}`);
    }
    return cutResult(await this.#tool.call(restored.args, options), this.#maxResultCharacters);
  }
}
