import { at, listAt, show } from '../../connection/json.js';
import { defineCheck } from '../../model/check.js';
import { broken, doubtful, holds, notVerified } from '../../model/finding.js';
import { isLoopback } from '../instrument/address.js';
import { judged } from '../instrument/judge.js';
import { spec } from '../instrument/spec.js';
import { ask } from './anonymous.js';
import { findIssuer, guarded, type Lock } from './lock.js';
import { AUTHORIZATION, authorization, DISCOVERY, rfc } from './source.js';

export const NO_METADATA = notVerified(
  'The metadata of the protected resource could not be found.',
  'a server that passes AUT-02',
);

export const secure = (url: unknown): boolean => {
  if (typeof url !== 'string' || !URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
};

export const metadataFound = defineCheck({
  ...AUTHORIZATION,
  id: 'AUT-02',
  title: 'the metadata of the resource is found through the challenge or a well-known URL',
  level: 'MUST',
  since: '2025-06-18',
  tier: 'standard',
  source: authorization(
    'protected-resource-metadata-discovery-requirements',
    'MCP servers MUST implement one of the following discovery mechanisms to provide authorization server location information to MCP clients',
    `${DISCOVERY}#protected-resource-metadata-discovery-requirements`,
  ),
  remedy:
    'Name the absolute URL of the metadata in resource_metadata of the challenge, or serve it at the well-known address.',
  run: guarded(async (_probe, { metadata, named, refusal, tried, isInDoubt }) => {
    const expected = 'an absolute resource_metadata in the challenge, or a well-known address that has the document';
    if (metadata === undefined) {
      const places = tried.map(({ http }) => `HTTP ${http?.status ?? 0}`).join(', ');
      const detail = `No document was found${places === '' ? '' : ` (${places})`}.`;
      if (isInDoubt) return notVerified(detail, 'metadata of the resource at addresses that can be read');
      return broken({ detail, expected, exchange: refusal.exchange });
    }
    if (named === undefined || named === metadata.url) return holds(metadata.url);
    const detail = `resource_metadata is ${show(named)}, but there is no document; it is at ${metadata.url}.`;
    // One of the two is enough for the sentence. Clients that follow the challenge find nothing.
    return doubtful({ detail, expected, exchange: refusal.exchange });
  }),
});

const sameAddress = (one: string, other: string): boolean => {
  const [a, b] = [one, other].map((url) => new URL(url).href.replace(/\/$/u, ''));
  return a === b;
};

export const metadataNamesServer = defineCheck({
  ...AUTHORIZATION,
  id: 'AUT-03',
  title: 'the metadata is JSON, and its resource is the URL of the server',
  level: 'MUST',
  tier: 'standard',
  source: rfc(
    9728,
    '3.3',
    'The resource value returned MUST be identical to the protected resource’s resource identifier value into which the well-known URI path suffix was inserted to create the URL used to retrieve the metadata.',
  ),
  remedy: 'Set resource to the URL that clients use for the server.',
  run: guarded(async (probe, { metadata }) => {
    if (metadata === undefined) return NO_METADATA;
    const { exchange, http } = metadata.reply;
    const resource = at(metadata.document, 'resource');
    const expected = `resource: ${probe.url}`;
    if (!/^application\/json\b/iu.test(http?.headers['content-type'] ?? '')) {
      return broken({
        detail: `It has the type ${http?.headers['content-type'] ?? 'none'}.`,
        expected: 'application/json',
        exchange,
      });
    }
    if (typeof resource !== 'string' || !URL.canParse(resource)) {
      return broken({ detail: `resource is ${show(resource)}.`, expected, exchange });
    }
    const endpoint = probe.url ?? '';
    if (sameAddress(resource, endpoint)) return holds();
    const parent = new URL(resource);
    const covers = parent.origin === new URL(endpoint).origin && new URL(endpoint).pathname.startsWith(parent.pathname);
    const detail = `resource is ${resource}, the server is ${endpoint}.`;
    return covers ? doubtful({ detail, expected, exchange }) : broken({ detail, expected, exchange });
  }),
});

export const metadataNamesIssuer = defineCheck({
  ...AUTHORIZATION,
  id: 'AUT-04',
  title: 'the metadata names at least one authorization server with an https URL',
  level: 'MUST',
  since: '2025-06-18',
  tier: 'standard',
  source: authorization(
    'authorization-server-location',
    'The Protected Resource Metadata document returned by the MCP server MUST include the authorization_servers field containing at least one authorization server.',
    `${DISCOVERY}#authorization-server-location`,
  ),
  remedy: 'List the issuer of your authorization server in authorization_servers.',
  run: guarded(async (_probe, { metadata }) => {
    if (metadata === undefined) return NO_METADATA;
    const { exchange } = metadata.reply;
    const servers = listAt(metadata.document, 'authorization_servers');
    const expected = 'authorization_servers with an https URL (http on this machine)';
    if (servers.length === 0) return broken({ detail: 'No authorization server is named.', expected, exchange });
    const flaws = servers
      .filter((server) => !secure(server))
      .map((server) => ({ detail: `One is ${show(server)}.`, exchange }));
    return judged(flaws, expected);
  }),
});

const scopesOf = ({ metadata, challenge }: Lock): readonly string[] => [
  ...listAt(metadata?.document, 'scopes_supported').map(String),
  ...(challenge?.parameters['scope'] ?? '').split(' '),
];

export const noOfflineAccess = defineCheck({
  ...AUTHORIZATION,
  eras: ['modern'],
  id: 'AUT-26',
  title: 'neither the metadata nor the challenge requests offline_access',
  level: 'SHOULD',
  tier: 'standard',
  source: spec(
    '2026-07-28',
    'basic/authorization#refresh-tokens',
    'MCP Servers (Protected Resources) SHOULD NOT include offline_access in WWW-Authenticate scope or Protected Resource Metadata scopes_supported, as refresh tokens are not a resource requirement.',
  ),
  remedy: 'Remove offline_access: the client and the authorization server decide about it.',
  run: guarded(async (_probe, lock) =>
    judged(
      scopesOf(lock).includes('offline_access')
        ? [{ detail: 'offline_access is among the scopes.', exchange: (lock.metadata?.reply ?? lock.refusal).exchange }]
        : [],
      'scopes that the resource itself needs',
    ),
  ),
});

export const metadataForBrowsers = defineCheck({
  ...AUTHORIZATION,
  id: 'AUT-24',
  title: 'clients in a browser can read the metadata',
  level: 'ADVICE',
  tier: 'standard',
  source: rfc(9728, '3.2', 'A successful response MUST use the 200 OK HTTP status code and return a JSON object'),
  remedy: 'Send Access-Control-Allow-Origin: * with the metadata of the resource and of the authorization server.',
  run: guarded(async (probe, { metadata }) => {
    if (metadata === undefined) return NO_METADATA;
    const issuer = await findIssuer(probe);
    const urls = [metadata.url, ...(issuer?.metadata === undefined ? [] : [issuer.metadata.url])];
    const flaws = [];
    for (const url of urls) {
      const { http, exchange } = await ask(probe, { url, headers: { origin: 'https://client.example' } });
      const allowed = http?.headers['access-control-allow-origin'];
      if (allowed !== '*' && allowed !== 'https://client.example') {
        flaws.push({ detail: `A page of another origin cannot read ${url}.`, exchange });
      }
    }
    return judged(flaws, 'Access-Control-Allow-Origin: *');
  }),
});
