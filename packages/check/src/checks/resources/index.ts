import type { Check } from '../../model/check.js';
import { annotationsValid, resourceCacheHints, resourceShape, templatesParse, webResources } from './list.js';
import { listedReadable, malformedUris, neverEmpty, plausibleContents, unknownResource } from './read.js';
import { subscribeDeclared, subscriptionsHonoured } from './subscribe.js';

export const resourceChecks: readonly Check[] = [
  resourceShape,
  listedReadable,
  unknownResource,
  neverEmpty,
  templatesParse,
  malformedUris,
  subscriptionsHonoured,
  subscribeDeclared,
  plausibleContents,
  annotationsValid,
  resourceCacheHints,
  webResources,
];
