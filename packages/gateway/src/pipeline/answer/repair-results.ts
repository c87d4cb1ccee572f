import { repairResult } from '@plugboard/schema';
import { afterwards } from '../../call/step.js';
import { hasWrittenParts } from '../../rpc/raw-json.js';

/** Gives what servers answer the form that official clients accept; what has it already passes untouched. */
export const repairResults = afterwards({
  answered: (call, result) => {
    // What is written already was repaired before.
    if (call.route?.kind !== 'upstream' || hasWrittenParts(result)) return result;
    const { method, params } = call;
    const repaired = repairResult(result, { era: call.client.revision.era, method, params });
    if (repaired !== result) call.notes?.flow?.decide('result repaired');
    return repaired;
  },
});
