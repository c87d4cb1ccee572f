import { isJsonObject, type JsonObject } from '@plugboard/wire';
import { afterwards, type CallStep } from '../../../call/step.js';
import { hasWrittenParts } from '../../../rpc/raw-json.js';
import { CUT_META, cutResult } from './cut-result.js';
import { surelyFits } from './surely-fits.js';

const fit = (result: JsonObject, maxBytes: number): JsonObject =>
  surelyFits(result, maxBytes) ? result : cutResult(result, maxBytes);

const isCut = ({ _meta: meta }: JsonObject): boolean => isJsonObject(meta) && Object.hasOwn(meta, CUT_META);

/** Keeps results of tools within a size, and says in the result itself what is missing. */
export const limitResults = (maxBytes: number): CallStep =>
  afterwards({
    answered: (call, result) => {
      if (call.route?.kind !== 'upstream' || !isJsonObject(result)) return result;
      if (hasWrittenParts(result)) {
        // It was cut before, where it was written.
        if (isCut(result)) call.notes?.flow?.decide('result cut');
        return result;
      }
      if (call.method === 'tools/call' || call.method === 'tasks/result') {
        const fitting = fit(result, maxBytes);
        if (fitting !== result) call.notes?.flow?.decide('result cut');
        return fitting;
      }
      const { result: ofTask } = result;
      return call.method === 'tasks/get' && isJsonObject(ofTask)
        ? { ...result, result: fit(ofTask, maxBytes) }
        : result;
    },
  });
