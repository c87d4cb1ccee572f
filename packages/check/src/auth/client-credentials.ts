import { PlugboardError, type CheckAuth } from '@plugboard/contract';
import type { HttpSettings } from '../connection/http-exchange.js';
import { askForJson } from './auth-http.js';
import { findTokenEndpoint } from './token-endpoint.js';

type OAuth = Extract<CheckAuth, { type: 'oauth' }>;

const formEncoded = (text: string): string => new URLSearchParams({ x: text }).toString().slice(2);

const basic = ({ client_id, client_secret }: OAuth): string =>
  `Basic ${Buffer.from(`${formEncoded(client_id)}:${formEncoded(client_secret)}`).toString('base64')}`;

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
