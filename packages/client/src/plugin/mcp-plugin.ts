import { PlugboardError } from '@plugboard/contract';
import { mapResult, type ResultMapper } from './map-result.js';
import { invalidRequest, respond, respondError, type Metadata } from './plugin-response.js';
import type { Plugin, PluginConfig, PluginMetadata, PluginRequest, PluginResponse } from './plugin.js';
import type { ToolCaller } from './tool-caller.js';

export interface McpAction {
  /** The tool that carries it out; it must be allowed. */
  readonly tool: string;
  readonly aliases?: readonly string[] | undefined;
  /** Parameters that must be there. */
  readonly required?: readonly string[] | undefined;
  /** The tool's arguments out of the parameters; they are passed on as they are when left out. */
  readonly toArguments?: ((parameters: Readonly<Record<string, unknown>>) => Record<string, unknown>) | undefined;
  /** The outcome out of the tool's answer. */
  readonly mapResult?: ResultMapper | undefined;
}

export interface McpPluginOptions {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  /** The only tools of the server that are ever called. */
  readonly allowedTools: readonly string[];
  readonly actions: Readonly<Record<string, McpAction>>;
  /** Reads secrets from the config and builds the connection; it need not be open yet. */
  readonly connect: (config: PluginConfig) => ToolCaller | Promise<ToolCaller>;
  readonly deadlineMs?: number | undefined;
}

const notInitialized = (name: string): PlugboardError =>
  new PlugboardError('CONFLICT', `The plug-in "${name}" is not initialised.`, { hint: 'Call initialize() first.' });

/** A plug-in that is an MCP server behind a fence: named actions, allowed tools, mapped results. */
export class McpPlugin implements Plugin {
  readonly #options: McpPluginOptions;
  /** Every name that a request may use, aliases included. */
  readonly #actions: ReadonlyMap<string, { readonly name: string; readonly action: McpAction }>;
  #caller: ToolCaller | undefined;
  #offered: ReadonlySet<string> = new Set();

  constructor(options: McpPluginOptions) {
    this.#options = options;
    this.#actions = new Map(
      Object.entries(options.actions).flatMap(([name, action]) =>
        [name, ...(action.aliases ?? [])].map((called) => [called, { name, action }] as const),
      ),
    );
    const fenced = Object.entries(options.actions).find(([, { tool }]) => !options.allowedTools.includes(tool));
    if (fenced !== undefined) {
      throw new PlugboardError('CONFIG_INVALID', `The action "${fenced[0]}" uses a tool that is not allowed.`, {
        hint: `Add "${fenced[1].tool}" to the allowed tools or remove the action.`,
      });
    }
  }

  async initialize(config: PluginConfig, signal: AbortSignal): Promise<void> {
    await this.shutdown();
    const caller = await this.#options.connect(config);
    try {
      const { allowedTools, deadlineMs, name } = this.#options;
      const tools = await caller.listTools({ signal, deadlineMs });
      this.#offered = new Set(tools.map((tool) => tool.name).filter((tool) => allowedTools.includes(tool)));
      if (this.#offered.size === 0) {
        throw new PlugboardError('UPSTREAM_PROTOCOL', `The server behind "${name}" has none of the allowed tools.`, {
          hint: 'Check that it is the right server and the right version.',
          details: { allowed: allowedTools },
        });
      }
      this.#caller = caller;
    } catch (thrown) {
      await caller.dispose();
      throw thrown;
    }
  }

  async execute(request: PluginRequest, signal: AbortSignal): Promise<PluginResponse> {
    const found = this.#actions.get(request.action);
    const metadata: Metadata = {
      external_server: this.#options.name,
      external_tool: found?.action.tool ?? null,
      action_performed: found?.name ?? null,
    };
    try {
      const flaws = this.validateRequest(request);
      if (found === undefined || flaws.length > 0) throw invalidRequest(flaws);
      const result = await this.#call(found.action, request.parameters, signal);
      return respond(request, (found.action.mapResult ?? mapResult)(result), metadata);
    } catch (thrown) {
      return respondError(request, thrown, metadata);
    }
  }

  async shutdown(): Promise<void> {
    const caller = this.#caller;
    this.#caller = undefined;
    this.#offered = new Set();
    await caller?.dispose();
  }

  metadata(): PluginMetadata {
    const { name, version, description, actions } = this.#options;
    return {
      name,
      version,
      description,
      actions: Object.entries(actions).map(([action, { aliases = [], required = [] }]) => ({
        name: action,
        aliases,
        required,
      })),
    };
  }

  validateRequest(request: PluginRequest): readonly string[] {
    const found = this.#actions.get(request.action);
    if (found === undefined) return [`There is no action "${request.action}".`];
    const missing = (found.action.required ?? []).filter(
      (name) => !Object.hasOwn(request.parameters, name) || (request.parameters[name] ?? '') === '',
    );
    return missing.map((name) => `The parameter "${name}" is missing.`);
  }

  #call(action: McpAction, parameters: PluginRequest['parameters'], signal: AbortSignal) {
    const caller = this.#caller;
    if (caller === undefined) throw notInitialized(this.#options.name);
    if (!this.#offered.has(action.tool)) {
      throw new PlugboardError('TOOL_NOT_FOUND', `The server does not offer the tool "${action.tool}".`);
    }
    const args = action.toArguments?.(parameters) ?? { ...parameters };
    return caller.callTool(action.tool, args, { signal, deadlineMs: this.#options.deadlineMs });
  }
}
