import type { Check } from '../../model/check.js';
import { ruleCheck } from '../lint/rule-check.js';
import { errorsDiscloseNothing, noTraversal } from './disclosure.js';
import { clientsApart, deepInput, oversizeInput, strangeTexts } from './input.js';

const rule = (id: string, title: string): Check => ruleCheck({ id, title, family: 'security' });

export const securityChecks: readonly Check[] = [
  noTraversal,
  errorsDiscloseNothing,
  oversizeInput,
  deepInput,
  strangeTexts,
  rule('SEC-13', 'no text tells the model to conceal, to override or to collect'),
  rule('SEC-14', 'no text hides something from people that a model reads'),
  rule('SEC-18', 'no definition contains a credential'),
  clientsApart,
];
