import type { CallStep } from '../../call/step.js';

/** Which requests depend on the tools that the session has. */
const OF_TOOLS: ReadonlySet<string> = new Set(['tools/list', 'tools/call']);

/** A session whose server just said that its tools changed is answered by the new ones. */
export const settleLists: CallStep = async (call, next) => {
  const due = OF_TOOLS.has(call.method) ? call.session?.view?.due : undefined;
  if (due === undefined) return next(call);
  await due;
  return next({ ...call, scope: call.session?.view?.scope ?? call.session?.endpoint ?? call.scope });
};
