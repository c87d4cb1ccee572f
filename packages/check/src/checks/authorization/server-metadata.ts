import { at, listAt, show } from '../../connection/json.js';
import { defineCheck } from '../../model/check.js';
import { broken, doubtful, holds, notVerified, type Finding } from '../../model/finding.js';
import type { Probe } from '../../probe/probe.js';
import { judged } from '../instrument/judge.js';
import { spec } from '../instrument/spec.js';
import { findIssuer, guarded, type Found, type Issuer } from './lock.js';
import { secure } from './resource-metadata.js';
import { AUTHORIZATION, authorization, CONSIDERATIONS, DISCOVERY } from './source.js';

export const NO_ISSUER = notVerified(
  'The authorization server could not be found.',
  'a server that passes AUT-04, and an authorization server that can be reached',
);

/** Judges the metadata of the authorization server, if it can be found. */
const described = (judge: (found: Found, issuer: Issuer) => Finding) =>
  guarded(async (probe: Probe) => {
    const issuer = await findIssuer(probe);
    if (issuer?.metadata === undefined) return NO_ISSUER;
    return judge(issuer.metadata, issuer);
  });

export const serverDescribed = defineCheck({
  ...AUTHORIZATION,
  id: 'AUT-05',
  title: 'the authorization server publishes its metadata at a well-known URL',
  level: 'MUST',
  since: '2025-06-18',
  levelBefore: 'SHOULD',
  tier: 'standard',
  source: authorization(
    'overview',
    'MCP authorization servers MUST provide at least one of the following discovery mechanisms',
  ),
  remedy: 'Serve metadata by RFC 8414 or OpenID Connect Discovery at the address that the issuer leads to.',
  run: guarded(async (probe) => {
    const issuer = await findIssuer(probe);
    if (issuer === undefined) return NO_ISSUER;
    if (issuer.metadata !== undefined) return holds(issuer.metadata.url);
    if (issuer.tried.length === 0 || issuer.isInDoubt) return NO_ISSUER;
    const places = issuer.tried.map(({ http }) => `HTTP ${http?.status ?? 0}`).join(', ');
    const detail = `None of the well-known addresses of ${issuer.issuer} has a document (${places}).`;
    return broken({ detail, expected: 'a JSON object', exchange: issuer.tried[0]?.exchange });
  }),
});

export const issuerMatches = defineCheck({
  ...AUTHORIZATION,
  id: 'AUT-06',
  title: 'the issuer in the metadata is exactly the one by which it was found',
  level: 'MUST',
  tier: 'standard',
  source: {
    legacy: {
      sentence:
        'The "issuer" value returned MUST be identical to the authorization server’s issuer identifier value into which the well-known URI string was inserted to create the URL used to retrieve the metadata.',
      url: 'https://www.rfc-editor.org/rfc/rfc8414#section-3.3',
    },
    modern: spec(
      '2026-07-28',
      `${DISCOVERY}#authorization-server-metadata-discovery`,
      'the issuer value in the document MUST be identical to the issuer identifier used to construct the well-known URL',
    ),
  },
  remedy: 'Name the same issuer in the metadata of the resource, in that of the authorization server, and in tokens.',
  run: described(({ document, reply }, { issuer }) => {
    const named = at(document, 'issuer');
    if (named === issuer) return holds();
    return broken({ detail: `issuer is ${show(named)}.`, expected: `issuer: ${issuer}`, exchange: reply.exchange });
  }),
});

export const pkceAdvertised = defineCheck({
  ...AUTHORIZATION,
  id: 'AUT-07',
  title: 'the authorization server announces PKCE with S256',
  level: 'MUST',
  since: '2025-11-25',
  tier: 'standard',
  source: authorization(
    'authorization-code-protection',
    'Authorization servers providing OpenID Connect Discovery 1.0 MUST include code_challenge_methods_supported in their metadata to ensure MCP compatibility.',
    `${CONSIDERATIONS}#authorization-code-protection`,
  ),
  remedy: 'List S256 in code_challenge_methods_supported. Without it, MCP clients reject to proceed.',
  run: described(({ document, reply, url }) => {
    const methods = listAt(document, 'code_challenge_methods_supported');
    if (methods.includes('S256')) return holds();
    const detail = `code_challenge_methods_supported is ${show(at(document, 'code_challenge_methods_supported'))}.`;
    const evidence = { detail, expected: 'S256 among them', exchange: reply.exchange };
    // The sentence is about OpenID Connect Discovery. Of other metadata, only clients are told what to do without it.
    const isDemanded = url.includes('/.well-known/openid-configuration') && methods.length === 0;
    return isDemanded ? broken(evidence) : doubtful(evidence);
  }),
});

const ENDPOINTS = [
  'authorization_endpoint',
  'token_endpoint',
  'registration_endpoint',
  'revocation_endpoint',
  'introspection_endpoint',
  'jwks_uri',
];

export const endpointsSecure = defineCheck({
  ...AUTHORIZATION,
  id: 'AUT-22',
  title: 'every endpoint of the authorization server is served over https',
  level: 'MUST',
  tier: 'standard',
  source: authorization(
    'communication-security',
    'All authorization server endpoints MUST be served over HTTPS.',
    `${CONSIDERATIONS}#communication-security`,
  ),
  remedy: 'Serve the authorization server over https; http is acceptable only on this machine.',
  run: described(({ document, reply: { exchange } }) =>
    judged(
      ENDPOINTS.filter((name) => at(document, name) !== undefined && !secure(at(document, name))).map((name) => ({
        detail: `${name} is ${show(at(document, name))}.`,
        exchange,
      })),
      'https (http on this machine)',
    ),
  ),
});
