import { createHash, randomBytes } from 'node:crypto';
import { at, isObject, type JsonObject } from '../../connection/json.js';
import { notVerified, type Finding } from '../../model/finding.js';
import type { Probe } from '../../probe/probe.js';
import type { Reply } from '../../session/answer.js';
import { ask, jsonOf, statusOf } from './anonymous.js';
import { endpointOf, findIssuer, guarded, type Issuer } from './lock.js';
import { NO_ISSUER } from './server-metadata.js';

/** Nobody listens there: the redirect is read, never followed. */
const REDIRECT_URI = 'http://127.0.0.1:33418/plugboard-check';
const MAX_HOPS = 12;

export interface FlowClient {
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly redirectUri: string;
}

/** An authorization server, and a client that it knows. */
export interface Flow {
  readonly issuer: Issuer;
  readonly authorize: string;
  readonly token: string;
  readonly client: FlowClient;
}

export interface Pkce {
  readonly verifier: string;
  readonly challenge: string;
}

export const newPkce = (): Pkce => {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
};

/** Registers a client by RFC 7591; the answer tells whether that was allowed. */
export const registerClient = async (
  probe: Probe,
  endpoint: string,
  redirectUri: string,
): Promise<{ readonly reply: Reply; readonly client: FlowClient | undefined }> => {
  const metadata = {
    client_name: 'Plugboard check',
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: 'native',
  };
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  const reply = await ask(probe, {
    method: 'POST',
    url: endpoint,
    headers,
    body: JSON.stringify(metadata),
    confidential: true,
  });
  const document = jsonOf(reply);
  const [clientId, clientSecret] = [at(document, 'client_id'), at(document, 'client_secret')];
  if (statusOf(reply) >= 300 || typeof clientId !== 'string') return { reply, client: undefined };
  const secret = typeof clientSecret === 'string' ? clientSecret : undefined;
  return { reply, client: { clientId, clientSecret: secret, redirectUri } };
};

export const NO_CLIENT = notVerified(
  'No client is known that may ask the authorization server for tokens.',
  'authorization.clientId with authorization.redirectUri, or authorization.register: true',
);

/** The client that this run registers, once; undefined when it may not, or the authorization server refuses it. */
export const ownClient = (probe: Probe, issuer: Issuer): Promise<FlowClient | undefined> => {
  const register = async (): Promise<FlowClient | undefined> => {
    const { redirectUri = REDIRECT_URI, register: isAllowed } = probe.target.authorization ?? {};
    const endpoint = endpointOf(issuer, 'registration_endpoint');
    if (isAllowed !== true || endpoint === undefined) return undefined;
    return (await registerClient(probe, endpoint, redirectUri)).client;
  };
  return probe.once('own oauth client', register, { isKept: true });
};

/** The client that the operator named, or one that is registered once for the run, where that is allowed. */
const findClient = async (probe: Probe, issuer: Issuer): Promise<FlowClient | undefined> => {
  const { clientId, clientSecret, redirectUri = REDIRECT_URI } = probe.target.authorization ?? {};
  return clientId === undefined ? await ownClient(probe, issuer) : { clientId, clientSecret, redirectUri };
};

/** Judges the authorization server by what it does for a client. */
export const flowing = (judge: (probe: Probe, flow: Flow) => Promise<Finding>) =>
  guarded(async (probe) => {
    const issuer = await findIssuer(probe);
    const authorize = issuer === undefined ? undefined : endpointOf(issuer, 'authorization_endpoint');
    const token = issuer === undefined ? undefined : endpointOf(issuer, 'token_endpoint');
    if (issuer === undefined || authorize === undefined || token === undefined) return NO_ISSUER;
    const client = await findClient(probe, issuer);
    return client === undefined ? NO_CLIENT : await judge(probe, { issuer, authorize, token, client });
  });

type Query = Readonly<Record<string, string | undefined>>;

export const authorizationUrl = ({ authorize, client }: Flow, probe: Probe, changes: Query): string => {
  const url = new URL(authorize);
  const query: Query = {
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: client.redirectUri,
    state: 'plugboard',
    resource: probe.url,
    ...changes,
  };
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
};

/** Where the browser of a user ends who has nothing to say: back at the client, or at a page. */
export interface Landing {
  /** The redirect that leaves the authorization server; undefined when a page is shown. */
  readonly location: URL | undefined;
  readonly status: number;
}

const cookieOf = (field: string): readonly [string, string] => {
  const [pair = ''] = field.split(';');
  const split = pair.indexOf('=');
  return [pair.slice(0, split).trim(), pair.slice(split + 1)];
};

/** Opens the address as a browser does, and follows it as long as it stays with the authorization server. */
export const browse = async (probe: Probe, start: string): Promise<Landing> => {
  const { origin } = new URL(start);
  const cookies = new Map<string, string>();
  let url = start;
  for (let hop = 0; hop < MAX_HOPS; hop += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { accept: 'text/html', ...(cookie === '' ? {} : { cookie }) };
    const reply = await ask(probe, { url, headers, confidential: true });
    const status = statusOf(reply);
    // Several cookies arrive joined by a comma; a date inside one has a comma, too.
    const fields = (reply.http?.headers['set-cookie'] ?? '').split(/,\s*(?=[^;,\s=]+=)/u).filter((one) => one !== '');
    for (const field of fields) cookies.set(...cookieOf(field));
    const location = reply.http?.headers['location'];
    if (status < 300 || status >= 400 || location === undefined) return { location: undefined, status };
    const next = new URL(location, url);
    if (next.origin !== origin) return { location: next, status };
    url = next.href;
  }
  return { location: undefined, status: 0 };
};

export const NEEDS_PERSON = notVerified(
  'The authorization server asks a person before it issues a code.',
  'a client (authorization.clientId) that the authorization server approves without asking, in a test tenant',
);

/** A code, if the authorization server gives one without asking anybody. */
export const getCode = async (
  probe: Probe,
  flow: Flow,
  pkce: Pkce,
  changes: Query = {},
): Promise<string | undefined> => {
  const url = authorizationUrl(flow, probe, {
    code_challenge: pkce.challenge,
    code_challenge_method: 'S256',
    ...changes,
  });
  const { location } = await browse(probe, url);
  return location?.href.startsWith(flow.client.redirectUri) === true
    ? (location.searchParams.get('code') ?? undefined)
    : undefined;
};

/** One request to the token endpoint. */
export const askForTokens = async (
  probe: Probe,
  { token, client }: Flow,
  form: Readonly<Record<string, string>>,
): Promise<{ readonly status: number; readonly document: JsonObject; readonly reply: Reply }> => {
  const secret = client.clientSecret === undefined ? {} : { client_secret: client.clientSecret };
  const body = new URLSearchParams({ client_id: client.clientId, ...secret, ...form }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
  const reply = await ask(probe, { method: 'POST', url: token, headers, body, confidential: true });
  const document = jsonOf(reply);
  return { status: statusOf(reply), document: isObject(document) ? document : {}, reply };
};

export const exchangeForm = (
  probe: Probe,
  { client }: Flow,
  code: string,
  verifier: string,
): Readonly<Record<string, string>> => ({
  grant_type: 'authorization_code',
  code,
  code_verifier: verifier,
  redirect_uri: client.redirectUri,
  resource: probe.url ?? '',
});
