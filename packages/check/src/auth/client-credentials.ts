import { PlugboardError, type CheckAuth } from '@plugboard/contract';
import type { HttpSettings } from '../connection/http-exchange.js';
import { askForJson } from './auth-http.js';
import { BASE_HEADERS } from '../session/http-headers.js';

type OAuth = Extract<CheckAuth, { type: 'oauth' }>;

const formEncoded = (text: string): string => new URLSearchParams({ x: text }).toString().slice(2);

const basic = ({ client_id, client_secret }: OAuth): string =>
  `Basic ${Buffer.from(`${formEncoded(client_id)}:${formEncoded(client_secret)}`).toString('base64')}`;

const unknown = (): PlugboardError =>
  new PlugboardError('UPSTREAM_AUTH', 'The server does not declare an authorization server.', {
    hint: 'Give auth.token_url.',
  });

/** `/mcp` of an origin → the places where its document may be, the more specific first (RFC 9728, RFC 8414). */
const wellKnown = (address: string, name: string): readonly string[] => {
  const { origin, pathname } = new URL(address);
  const path = pathname.replace(/(?<!\/)\/+$/u, '');
  return [...(path === '' ? [] : [`${origin}/.well-known/${name}${path}`]), `${origin}/.well-known/${name}`];
};

const challenged = (header: string | undefined): string | undefined =>
  /resource_metadata="?(?<url>[^",\s]+)"?/iu.exec(header ?? '')?.groups?.['url'];

const firstWith = async (urls: readonly string[], member: string, settings: HttpSettings): Promise<unknown> => {
  for (const url of urls) {
    const { status, json } = await askForJson(
      { method: 'GET', url, headers: { accept: 'application/json' } },
      settings,
    );
    if (status === 200 && json[member] !== undefined) return json[member];
  }
  return undefined;
};

/** Where the authorization server of a protected server hands out tokens. */
const findTokenEndpoint = async (url: string, settings: HttpSettings): Promise<string> => {
  const ping = { jsonrpc: '2.0', id: 0, method: 'ping' };
  const refused = await askForJson(
    { method: 'POST', url, headers: BASE_HEADERS, body: JSON.stringify(ping) },
    settings,
  );
  const named = challenged(refused.headers['www-authenticate']);
  const places = [...(named === undefined ? [] : [named]), ...wellKnown(url, 'oauth-protected-resource')];
  const servers = await firstWith(places, 'authorization_servers', settings);
  const issuer: unknown = Array.isArray(servers) ? servers[0] : undefined;
  if (typeof issuer !== 'string' || !URL.canParse(issuer)) throw unknown();
  const documents = ['oauth-authorization-server', 'openid-configuration'].flatMap((name) => wellKnown(issuer, name));
  const appended = `${issuer.replace(/(?<!\/)\/+$/u, '')}/.well-known/openid-configuration`;
  const endpoint = await firstWith([...documents, appended], 'token_endpoint', settings);
  if (typeof endpoint !== 'string' || !URL.canParse(endpoint)) throw unknown();
  return endpoint;
};

/** A token for a program that acts for itself (RFC 6749, section 4.4), for this server only (RFC 8707). */
export const tokenForClient = async (auth: OAuth, url: string, settings: HttpSettings): Promise<string> => {
  const endpoint = auth.token_url ?? (await findTokenEndpoint(url, settings));
  const inBody = auth.client_authentication === 'post';
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    resource: auth.resource ?? url,
    ...(auth.scope === undefined ? {} : { scope: auth.scope }),
    ...(inBody ? { client_id: auth.client_id, client_secret: auth.client_secret } : {}),
  });
  const { status, json } = await askForJson(
    {
      method: 'POST',
      url: endpoint,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
        ...(inBody ? {} : { authorization: basic(auth) }),
      },
      body: form.toString(),
    },
    settings,
  );
  const token = json['access_token'];
  if (status === 200 && typeof token === 'string' && token !== '') return token;
  const why = typeof json['error'] === 'string' ? ` and "${json['error']}"` : '';
  throw new PlugboardError(
    'UPSTREAM_AUTH',
    `The authorization server answered with HTTP ${status}${why}, not with a token.`,
    {
      hint: 'Check auth.client_id, auth.client_secret and auth.scope.',
    },
  );
};
