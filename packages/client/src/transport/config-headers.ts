import type { HttpConfig } from '@plugboard/contract';

const SCHEME = /^(?:Bearer|Basic|Token|Digest|ApiKey) /iu;

/** The fields that a config adds to every request: custom ones first, the token on top of them. Nothing is lost. */
export const configHeaders = (config: HttpConfig): Readonly<Record<string, string>> => {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(config.custom_headers ?? {})) {
    headers[name.toLowerCase()] = value;
  }
  const token = config.auth_token;
  if (token !== null && token !== undefined && token !== '') {
    const name = (config.auth_header ?? 'authorization').toLowerCase();
    headers[name] = name === 'authorization' && !SCHEME.test(token) ? `Bearer ${token}` : token;
  }
  return headers;
};
