import { type ProviderShape, toProviderShape } from '@plugboard/schema';
import { type FinishedCall, type ModelCall, runCalls, type RunOptions } from '../run/run-calls.js';
import type { AgentTools } from '../tool/agent-tools.js';

export interface ShownTools<Shape> {
  /** One array for good, which callers put into their requests. */
  readonly tools: Shape[];
  readonly run: (calls: readonly ModelCall[], options?: RunOptions) => Promise<readonly FinishedCall[]>;
}

/** The tools in the form of a provider. After a call that took over a new schema, the array has the new one. */
export const shownTools = <Shape>({ tools: called }: AgentTools, form: ProviderShape): ShownTools<Shape> => {
  const shown = called.map(({ definition }) => definition);
  const tools = shown.map((definition) => toProviderShape(definition, form) as Shape);
  const update = (): void => {
    for (const [at, { definition }] of called.entries()) {
      if (definition === shown[at]) continue;
      shown[at] = definition;
      tools[at] = toProviderShape(definition, form) as Shape;
    }
  };
  return { tools, run: (calls, options) => runCalls(called, calls, options).finally(update) };
};
