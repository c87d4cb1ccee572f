import type { McpCall } from './mcp-call.js';

export type NextStep = (call: McpCall) => Promise<unknown>;

/** One concern on the way of a request: it may refuse, change, answer or watch what `next` does. */
export type CallStep = (call: McpCall, next: NextStep) => Promise<unknown>;

/** A step that only looks at how the rest ended. */
export interface Afterwards {
  /** The result that goes on; a promise of it only where it takes time. */
  readonly answered?: ((call: McpCall, result: unknown) => unknown) | undefined;
  /** Throws what goes on, or returns the result that takes its place. */
  readonly failed?: ((call: McpCall, thrown: unknown) => unknown) | undefined;
}

type AfterStep = CallStep & Afterwards;

/** Steps that follow each other and only look back take one wait together, the last of them first. */
const lookBack =
  (steps: readonly Afterwards[]): CallStep =>
  async (call, next) => {
    let hasFailed = false;
    let outcome: unknown;
    try {
      outcome = await next(call);
    } catch (thrown) {
      hasFailed = true;
      outcome = thrown;
    }
    for (let index = steps.length - 1; index >= 0; index -= 1) {
      const step = steps[index];
      const look = hasFailed ? step?.failed : step?.answered;
      if (look === undefined) continue;
      try {
        const given = look(call, outcome);
        outcome = given instanceof Promise ? await given : given;
        hasFailed = false;
      } catch (thrown) {
        hasFailed = true;
        outcome = thrown;
      }
    }
    if (hasFailed) throw outcome;
    return outcome;
  };

/** A step that only looks at how the rest ended: cheaper than one that waits for it, beside others of its kind. */
export const afterwards = (what: Afterwards): CallStep => Object.assign(lookBack([what]), what);

const looksBack = (step: CallStep | undefined): step is AfterStep =>
  step !== undefined && ('answered' in step || 'failed' in step);

const joined = (steps: readonly CallStep[]): readonly CallStep[] => {
  const found: CallStep[] = [];
  for (let index = 0; index < steps.length; index += 1) {
    const together: AfterStep[] = [];
    for (let step = steps[index]; looksBack(step); step = steps[index]) {
      together.push(step);
      index += 1;
    }
    if (together.length > 0) found.push(lookBack(together));
    const step = steps[index];
    if (step !== undefined) found.push(step);
  }
  return found;
};

/** One way out of many steps; the first of the list is the outermost. */
export const composeSteps = (steps: readonly CallStep[]): NextStep =>
  joined(steps).reduceRight<NextStep>(
    (next, step) => (call) => step(call, next),
    () => Promise.reject(new Error('the last step must not go on')),
  );
