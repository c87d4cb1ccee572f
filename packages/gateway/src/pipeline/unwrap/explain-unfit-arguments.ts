import type { CallStep } from '../../call/step.js';
import { UnfitArguments, unfitResult } from '../../call/unfit-arguments.js';

/** Answers arguments that do not fit a tool with a result that a model can read. */
export const explainUnfitArguments: CallStep = async (call, next) => {
  try {
    return await next(call);
  } catch (thrown) {
    if (!(thrown instanceof UnfitArguments)) throw thrown;
    return unfitResult(call, thrown);
  }
};
