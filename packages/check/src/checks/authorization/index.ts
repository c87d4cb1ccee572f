import type { Check } from '../../model/check.js';
import {
  codesOnce,
  issuerInResponse,
  pkceDemanded,
  redirectExact,
  refreshRotates,
  resourceParameter,
  tokenResponse,
} from './code-flow.js';
import {
  audienceVerified,
  handlesBelong,
  noPassthrough,
  privateLists,
  scopeChallenge,
  sessionsBelong,
  tasksBelong,
} from './principals.js';
import {
  everyRequestNeedsToken,
  forgedTokensRefused,
  listsNeedToken,
  queryTokenRefused,
  refusesStrangers,
} from './refusal.js';
import { clientDocumentsVerified, registrationCareful } from './registration.js';
import {
  metadataForBrowsers,
  metadataFound,
  metadataNamesIssuer,
  metadataNamesServer,
  noOfflineAccess,
} from './resource-metadata.js';
import { endpointsSecure, issuerMatches, pkceAdvertised, serverDescribed } from './server-metadata.js';

export const authorizationChecks: readonly Check[] = [
  refusesStrangers,
  metadataFound,
  metadataNamesServer,
  metadataNamesIssuer,
  serverDescribed,
  issuerMatches,
  pkceAdvertised,
  pkceDemanded,
  resourceParameter,
  audienceVerified,
  forgedTokensRefused,
  queryTokenRefused,
  everyRequestNeedsToken,
  scopeChallenge,
  listsNeedToken,
  registrationCareful,
  clientDocumentsVerified,
  redirectExact,
  codesOnce,
  refreshRotates,
  issuerInResponse,
  endpointsSecure,
  tokenResponse,
  metadataForBrowsers,
  noPassthrough,
  noOfflineAccess,
  handlesBelong,
  privateLists,
  sessionsBelong,
  tasksBelong,
];
