import type { Check } from '../../model/check.js';
import { ruleCheck } from '../lint/rule-check.js';
import { bombsDefused, noCatastrophicPatterns, noPollution, resultsUnpoisoned, statesUnguessable } from './abuse.js';
import { honestHints, noLookalikes, noToxicFlow, safeAddresses, sameForEveryClient } from './definitions.js';
import { errorsDiscloseNothing, noTraversal } from './disclosure.js';
import { noFixation, noOwnListener, noSimpleRequests, notInTheClear, notOpenToAll, pinnedLaunch } from './exposure.js';
import { clientsApart, deepInput, oversizeInput, strangeTexts } from './input.js';
import { noCommands, noQueries, noTemplates } from './interpreters.js';
import { noForgedRequests } from './reach.js';

const rule = (id: string, title: string): Check => ruleCheck({ id, title, family: 'security' });

export const securityChecks: readonly Check[] = [
  noTraversal,
  noForgedRequests,
  noCommands,
  noQueries,
  noTemplates,
  noPollution,
  noCatastrophicPatterns,
  errorsDiscloseNothing,
  oversizeInput,
  deepInput,
  strangeTexts,
  bombsDefused,
  rule('SEC-13', 'no text tells the model to conceal, override or collect something'),
  rule('SEC-14', 'no text contains anything that a model reads but people cannot see'),
  noLookalikes,
  sameForEveryClient,
  noToxicFlow,
  rule('SEC-18', 'no definition contains a credential'),
  honestHints,
  notOpenToAll,
  notInTheClear,
  noSimpleRequests,
  noFixation,
  clientsApart,
  safeAddresses,
  noOwnListener,
  pinnedLaunch,
  resultsUnpoisoned,
  statesUnguessable,
];
