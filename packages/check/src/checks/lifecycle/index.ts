import type { Check } from '../../model/check.js';
import { discoverFirst, unsupportedVersion } from './discover.js';
import { initializeShape, unknownVersion, versionEcho, versionMatrix } from './initialize.js';

export const lifecycleChecks: readonly Check[] = [
  initializeShape,
  versionEcho,
  unknownVersion,
  versionMatrix,
  discoverFirst,
  unsupportedVersion,
];
