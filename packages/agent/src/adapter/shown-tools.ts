import { type ProfileId, type ProviderShape, toProviderShape } from '@plugboard/schema';
import { type FinishedCall, type ModelCall, runCalls, type RunOptions } from '../run/run-calls.js';
import type { AgentTools } from '../tool/agent-tools.js';

export interface ShownTools<Shape> {
  /** One array for good, which callers put into their requests. */
  readonly tools: Shape[];
  readonly run: (calls: readonly ModelCall[], options?: RunOptions) => Promise<readonly FinishedCall[]>;
}

/** The tools in the form that belongs to the rules of each. After a call that took over a new schema, the array has the new one. */
export const shownTools = <Shape>(
  { tools: called }: AgentTools,
  formOf: (profile: ProfileId) => ProviderShape = (profile) => profile,
): ShownTools<Shape> => {
  const shown = called.map(({ definition }) => definition);
  const tools = called.map(({ definition, profile }) => toProviderShape(definition, formOf(profile)) as Shape);
  const update = (): void => {
    for (const [at, { definition, profile }] of called.entries()) {
      if (definition === shown[at]) continue;
      shown[at] = definition;
      tools[at] = toProviderShape(definition, formOf(profile)) as Shape;
    }
  };
  return { tools, run: (calls, options) => runCalls(called, calls, options).finally(update) };
};
