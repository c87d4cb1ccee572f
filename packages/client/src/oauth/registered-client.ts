import type { OAuthSettings, TokenEndpointAuth, RegisteredClient } from '@plugboard/contract';

const WITH_SECRET: readonly TokenEndpointAuth[] = ['client_secret_basic', 'client_secret_post'];

/** The method that both sides can use; metadata that names none means client_secret_basic (RFC 8414). */
export const chooseAuthMethod = (
  supported: readonly string[] | undefined,
  held: { readonly secret: boolean; readonly privateKey: boolean },
): TokenEndpointAuth => {
  if (held.privateKey) return 'private_key_jwt';
  if (!held.secret) return 'none';
  const offered = supported ?? ['client_secret_basic'];
  return (
    WITH_SECRET.find((method) => offered.includes(method)) ??
    (offered.includes('none') ? 'none' : 'client_secret_basic')
  );
};

/** The client that an operator entered, if any. */
export const configuredClient = (
  settings: OAuthSettings | undefined,
  supported: readonly string[] | undefined,
): RegisteredClient | undefined => {
  const { client_id: clientId, client_secret: secret, private_key: key, token_endpoint_auth: method } = settings ?? {};
  if (clientId === undefined || clientId === null) return undefined;
  const clientSecret = secret ?? undefined;
  const privateKey = key ?? undefined;
  return {
    clientId,
    ...(clientSecret === undefined ? {} : { clientSecret }),
    ...(privateKey === undefined ? {} : { privateKey }),
    authMethod:
      method ??
      chooseAuthMethod(supported, { secret: clientSecret !== undefined, privateKey: privateKey !== undefined }),
    source: 'configured',
  };
};
