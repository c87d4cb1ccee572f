import { isJsonObject } from '@plugboard/wire';
import type { CallStep } from '../call/step.js';
import { cutResult } from './cut-result.js';
import { surelyFits } from './surely-fits.js';

/** Keeps results of tools within a size, and says in the result itself what is missing. */
export const limitResults =
  (maxBytes: number): CallStep =>
  async (call, next) => {
    const result = await next(call);
    if (call.route?.kind !== 'upstream' || call.method !== 'tools/call' || !isJsonObject(result)) return result;
    return surelyFits(result, maxBytes) ? result : cutResult(result, maxBytes);
  };
