import { type ConnectConfig, revealed, Secret } from '@plugboard/contract';

const SCHEME = /^(?:Bearer|Basic|Token|Digest|ApiKey) /iu;

type HttpConnectConfig = Exclude<ConnectConfig, { mcp_server_type: 'stdio' }>;

const wrapped = (value: string | Secret): Secret => (value instanceof Secret ? value : Secret.of(value));

/** The fields that a config adds to every request: custom ones first, the token on top of them. Nothing is lost. */
export const configHeaders = (config: HttpConnectConfig): Readonly<Record<string, Secret>> => {
  const headers: Record<string, Secret> = {};
  for (const [name, value] of Object.entries(config.custom_headers ?? {})) {
    headers[name.toLowerCase()] = wrapped(value);
  }
  const token = revealed(config.auth_token ?? '');
  if (token !== '') {
    const name = (config.auth_header ?? 'authorization').toLowerCase();
    headers[name] = Secret.of(name === 'authorization' && !SCHEME.test(token) ? `Bearer ${token}` : token);
  }
  return headers;
};

/** The fields as they go over the wire. */
export const headerFields = (headers: Readonly<Record<string, Secret>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.reveal()]));
