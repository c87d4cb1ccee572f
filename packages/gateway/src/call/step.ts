import type { McpCall } from './mcp-call.js';

export type NextStep = (call: McpCall) => Promise<unknown>;

/** One concern on the way of a request: it may refuse, change, answer or watch what `next` does. */
export type CallStep = (call: McpCall, next: NextStep) => Promise<unknown>;

/** One way out of many steps; the first of the list is the outermost. */
export const composeSteps = (steps: readonly CallStep[]): NextStep => {
  const enter = (index: number, call: McpCall): Promise<unknown> => {
    const step = steps[index];
    return step === undefined
      ? Promise.reject(new Error('the last step must not go on'))
      : step(call, (inner) => enter(index + 1, inner));
  };
  return (call) => enter(0, call);
};
