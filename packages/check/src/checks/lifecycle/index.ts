import type { Check } from '../../model/check.js';
import { keepsAnswering } from './keeps-answering.js';
import { declaredAnswers, steadyVersion, undeclaredRefused, unknownIgnored } from './capabilities.js';
import { discoverFirst, discoverIdentity, discoverSteady, unsupportedVersion } from './discover.js';
import { coldStart, interleaved, noLeak, sameInBothEras } from './dual-era.js';
import { beforeInitialize, incompleteInitialize, initializedAccepted, ping, secondInitialize } from './handshake.js';
import { initializeShape, unknownVersion, versionEcho, versionMatrix } from './initialize.js';
import {
  anonymousServed,
  extensionNames,
  initializeRefused,
  missingCapability,
  removedMethods,
  requiredMetadata,
  stateless,
} from './modern-request.js';

export const lifecycleChecks: readonly Check[] = [
  initializeShape,
  versionEcho,
  unknownVersion,
  versionMatrix,
  initializedAccepted,
  secondInitialize,
  beforeInitialize,
  incompleteInitialize,
  unknownIgnored,
  declaredAnswers,
  undeclaredRefused,
  steadyVersion,
  discoverFirst,
  discoverIdentity,
  discoverSteady,
  unsupportedVersion,
  requiredMetadata,
  anonymousServed,
  stateless,
  initializeRefused,
  interleaved,
  noLeak,
  sameInBothEras,
  removedMethods,
  missingCapability,
  extensionNames,
  ping,
  coldStart,
  keepsAnswering,
];
