import type { HttpConfig } from '@plugboard/contract';

/** Undefined for a URL whose host a variable decides. */
const originOf = (url: string): string | undefined => {
  const authority = /^[a-z]+:\/\/[^/?#]*/iu.exec(url)?.[0];
  if (authority === undefined || /[{$]/u.test(authority)) return undefined;
  return URL.canParse(authority) ? new URL(authority).origin : undefined;
};

/** Does another URL lead to somebody else? Where that cannot be told, it does. */
export const leadsElsewhere = (before: string, after: string): boolean => {
  if (before === after) return false;
  const origin = originOf(before);
  return origin === undefined || origin !== originOf(after);
};

/** Would requests pass a proxy that they did not pass before? It could read them. */
export const leadsThrough = (before: string | null | undefined, after: string | null | undefined): boolean =>
  typeof after === 'string' && after !== 'none' && after !== before;

/** A config without what was entrusted to one origin: another one must not get it. */
export const withoutSecrets = <Config extends HttpConfig>(config: Config): Config => {
  const { auth_token: _token, custom_headers: _headers, variables: _variables, oauth, ...rest } = config;
  if (oauth === null || oauth === undefined) return rest as Config;
  const { client_secret: _secret, private_key: _key, issuer: _issuer, ...settings } = oauth;
  return { ...rest, oauth: settings } as Config;
};
