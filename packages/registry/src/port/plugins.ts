import type { PluginOutcome, PluginRun, PluginView } from '@plugboard/contract';

/** The plug-ins that the configuration file of the hub names. They cannot be changed from outside. */
export interface Plugins {
  /**
   * All of them, or those that work with one server. Loads those that were not used yet, and never rejects for one that
   * fails: its entry says why.
   */
  list(signal: AbortSignal, server?: string): Promise<readonly PluginView[]>;
  /** Rejects with NOT_FOUND; what goes wrong in the plug-in is in the outcome. */
  run(name: string, run: PluginRun, signal: AbortSignal): Promise<PluginOutcome>;
}
