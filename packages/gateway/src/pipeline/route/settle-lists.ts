import type { McpCall } from '../../call/mcp-call.js';
import type { CallStep, NextStep } from '../../call/step.js';

/** Which requests depend on the tools that the session has. */
const OF_TOOLS: ReadonlySet<string> = new Set(['tools/list', 'tools/call']);

const settleFirst = async (due: Promise<void>, call: McpCall, next: NextStep): Promise<unknown> => {
  await due;
  return next({ ...call, scope: call.session?.view?.scope ?? call.session?.endpoint ?? call.scope });
};

/** A session whose server just said that its tools changed is answered by the new ones. */
export const settleLists: CallStep = (call, next) => {
  const due = OF_TOOLS.has(call.method) ? call.session?.view?.due : undefined;
  return due === undefined ? next(call) : settleFirst(due, call, next);
};
