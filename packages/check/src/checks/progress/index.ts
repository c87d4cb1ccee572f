import type { Check } from '../../model/check.js';
import { deliveredAtOnce } from './delivery.js';
import { reportChecks } from './progress.js';

export const progressChecks: readonly Check[] = [...reportChecks, deliveredAtOnce];
