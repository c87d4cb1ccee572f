import type { Check } from '../../model/check.js';
import { argumentsOmitted, errorsActionable, inputsValidated, namedCall, unknownTool } from './call.js';
import { hintsAgree, referencesResolve, safeIcons, schemasCompile, toolNames, toolShape } from './definition.js';
import { textsUnchanged } from './fidelity.js';
import { validArgumentsServed } from './generated.js';
import { moderateResults, sameList, stableOrder, toolsCacheHints } from './list.js';
import { answersSameTwice, contentBlocks, structuredAsText, structuredConforms } from './result.js';
import { taskSupportHonoured } from './task-support.js';

export const toolChecks: readonly Check[] = [
  toolShape,
  toolNames,
  schemasCompile,
  referencesResolve,
  stableOrder,
  sameList,
  unknownTool,
  namedCall,
  inputsValidated,
  validArgumentsServed,
  contentBlocks,
  structuredConforms,
  structuredAsText,
  errorsActionable,
  argumentsOmitted,
  hintsAgree,
  answersSameTwice,
  safeIcons,
  taskSupportHonoured,
  toolsCacheHints,
  moderateResults,
  textsUnchanged,
];
