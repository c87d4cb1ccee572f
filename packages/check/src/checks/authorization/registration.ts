import { at } from '../../connection/json.js';
import { defineCheck } from '../../model/check.js';
import { broken, holds, notApplicable, notVerified } from '../../model/finding.js';
import { judged, type Flaw } from '../instrument/judge.js';
import { statusOf } from './anonymous.js';
import { authorizationUrl, browse, newPkce, ownClient, registerClient, type Flow } from './flow.js';
import { endpointOf, findIssuer, guarded } from './lock.js';
import { NO_ISSUER } from './server-metadata.js';
import { AUTHORIZATION, authorization, CONSIDERATIONS, REGISTRATION } from './source.js';

export const registrationCareful = defineCheck({
  ...AUTHORIZATION,
  id: 'AUT-16',
  title: 'a client with a redirect URI over plain http cannot register',
  level: 'MUST',
  tier: 'standard',
  source: authorization(
    'communication-security',
    'All redirect URIs MUST be either localhost or use HTTPS.',
    `${CONSIDERATIONS}#communication-security`,
  ),
  remedy: 'Reject redirect URIs that are neither https nor on the machine of the user with invalid_redirect_uri.',
  run: guarded(async (probe) => {
    const issuer = await findIssuer(probe);
    if (issuer?.metadata === undefined) return NO_ISSUER;
    const endpoint = endpointOf(issuer, 'registration_endpoint');
    if (endpoint === undefined) {
      return notApplicable('The authorization server does not support dynamic client registration.');
    }
    if (probe.target.authorization?.register !== true) {
      return notVerified('No client may be registered.', 'authorization.register: true');
    }
    // The control: a client with a proper redirect URI can register.
    if ((await ownClient(probe, issuer)) === undefined) {
      const detail = 'A client with a proper redirect URI cannot register either.';
      return notVerified(detail, 'an authorization server at which clients can register');
    }
    const { reply } = await registerClient(probe, endpoint, 'http://attacker.example/callback');
    const status = statusOf(reply);
    if (status >= 400 && status < 500) return holds();
    if (status >= 300) {
      return notVerified(`It came back with HTTP ${status}.`, 'an authorization server that accepts or refuses it');
    }
    return broken({
      detail: `A client with the redirect URI http://attacker.example/callback was answered with HTTP ${status}.`,
      expected: 'HTTP 400 with invalid_redirect_uri',
    });
  }),
});

/** Addresses that lead to no client document: over http, to no host, and to this machine. */
const BAD_CLIENTS = [
  'http://client.example/metadata.json',
  'https://client.invalid/metadata.json',
  'https://127.0.0.1:9/metadata.json',
];

export const clientDocumentsVerified = defineCheck({
  ...AUTHORIZATION,
  id: 'AUT-17',
  title: 'a URL as client_id is accepted only after its document was read',
  level: 'MUST',
  since: '2025-11-25',
  tier: 'standard',
  source: authorization(
    'implementation-requirements',
    'Authorization servers: […] MUST validate that the fetched document’s client_id matches the URL exactly',
    `${REGISTRATION}#implementation-requirements`,
  ),
  remedy: 'Fetch the document over https, from public addresses only, and compare client_id and redirect_uris.',
  run: guarded(async (probe) => {
    const issuer = await findIssuer(probe);
    const authorize = issuer === undefined ? undefined : endpointOf(issuer, 'authorization_endpoint');
    const token = issuer === undefined ? undefined : endpointOf(issuer, 'token_endpoint');
    if (issuer === undefined || authorize === undefined || token === undefined) return NO_ISSUER;
    if (at(issuer.metadata?.document, 'client_id_metadata_document_supported') !== true) {
      return notApplicable('The authorization server does not accept URLs as client_id.');
    }
    const redirectUri = 'https://client.example/callback';
    const { challenge } = newPkce();
    const flaws: Flaw[] = [];
    for (const clientId of BAD_CLIENTS) {
      const flow: Flow = { issuer, authorize, token, client: { clientId, clientSecret: undefined, redirectUri } };
      const url = authorizationUrl(flow, probe, { code_challenge: challenge, code_challenge_method: 'S256' });
      const { location } = await browse(probe, url);
      const sent = location?.href.startsWith(redirectUri) === true;
      if (sent && location.searchParams.has('code')) flaws.push({ detail: `${clientId} received a code.` });
    }
    return judged(flaws, 'an error, and no redirect');
  }),
});
