import type { Check } from '../../model/check.js';
import { batches, noBatches } from './batch.js';
import { errorShape, reservedCodes } from './errors.js';
import { sameId, strangeId } from './ids.js';
import { extraMembers, invalidRequest, paramsOfWrongType, parseError } from './malformed.js';
import { metaKeys, traceContext } from './meta.js';
import { unknownMethod } from './methods.js';
import { concurrentRequests, noticesStayUnanswered, oneResponse } from './responses.js';
import { everyMessageFits } from './schema.js';
import { noServerRequests } from './server-initiative.js';

export const jsonRpcChecks: readonly Check[] = [
  everyMessageFits,
  sameId,
  oneResponse,
  noticesStayUnanswered,
  parseError,
  invalidRequest,
  strangeId,
  paramsOfWrongType,
  unknownMethod,
  batches,
  noBatches,
  errorShape,
  reservedCodes,
  concurrentRequests,
  extraMembers,
  metaKeys,
  noServerRequests,
  traceContext,
];
