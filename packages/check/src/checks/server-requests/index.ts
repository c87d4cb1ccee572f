import type { Check } from '../../model/check.js';
import { rootsHonoured } from './roots.js';
import { questionChecks } from './server-requests.js';

export const serverRequestChecks: readonly Check[] = [...questionChecks, rootsHonoured];
