import type { ErrorDescription } from '@plugboard/contract';
import type { ToolCaller } from './tool-caller.js';

export interface PluginRequest {
  readonly request_id: string;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly action: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** What the caller wants to hand through, such as the user's id. */
  readonly context?: Readonly<Record<string, unknown>> | undefined;
}

interface PluginAnswer {
  readonly request_id: string;
  readonly timestamp: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** `partial` carries what could be had, and the error that kept the rest away. */
export type PluginResponse =
  | (PluginAnswer & { readonly status: 'success'; readonly data: unknown })
  | (PluginAnswer & { readonly status: 'error'; readonly error: ErrorDescription })
  | (PluginAnswer & { readonly status: 'partial'; readonly data: unknown; readonly error: ErrorDescription });

export interface PluginAction {
  readonly name: string;
  readonly aliases: readonly string[];
  /** Parameters that must be there. */
  readonly required: readonly string[];
}

export interface PluginMetadata {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly actions: readonly PluginAction[];
}

export interface PluginConfig {
  readonly settings: Readonly<Record<string, unknown>>;
  /** Where secrets come from; a plug-in reads no other environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The tools of the registered server that a plug-in of a hub works with. */
  readonly server?: ToolCaller | undefined;
}

/** Something outside Plugboard that carries out actions. */
export interface Plugin {
  /** Called once before anything else; throws when the plug-in cannot work. */
  initialize(config: PluginConfig, signal: AbortSignal): Promise<void>;
  /** Never throws: what goes wrong is in the response. */
  execute(request: PluginRequest, signal: AbortSignal): Promise<PluginResponse>;
  /** Releases everything; may be called more than once. */
  shutdown(): Promise<void>;
  metadata(): PluginMetadata;
  /** What is wrong with the request, one sentence each; nothing when it can be executed. */
  validateRequest(request: PluginRequest): readonly string[];
}

/** What a plug-in module exports: a file `<name>.plugin.mjs` with `export const createPlugin = () => …`. */
export interface PluginModule {
  readonly createPlugin: () => Plugin;
}
