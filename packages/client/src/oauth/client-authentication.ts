import type { RegisteredClient } from '@plugboard/contract';
import { ClientSecretPost, None, PrivateKeyJwt, type ClientAuth } from 'oauth4webapi';
import { OAuthFailure } from './oauth-failure.js';
import { importPrivateKey } from './private-key.js';

const required = (value: string | undefined, member: string): string => {
  if (value !== undefined && value !== '') return value;
  throw new OAuthFailure('unsupported', `The client has no ${member}, which its way of authentication needs.`, {
    hint: `Put ${member} into the "oauth" settings of the server, or choose another token_endpoint_auth.`,
  });
};

const formEncoded = (text: string): string => new URLSearchParams({ v: text }).toString().slice('v='.length);

/**
 * RFC 6749 §2.3.1. The library also escapes hyphens, dots and underscores, which is legal, but many servers compare
 * without decoding; what needs no escape gets none here.
 */
const clientSecretBasic =
  (secret: string): ClientAuth =>
  (_server, { client_id: id }, _body, headers) => {
    const pair = `${formEncoded(id)}:${formEncoded(secret)}`;
    headers.set('authorization', `Basic ${Buffer.from(pair, 'utf8').toString('base64')}`);
  };

/** How the client proves itself at the token endpoint. */
export const clientAuthentication = async (client: RegisteredClient): Promise<ClientAuth> => {
  switch (client.authMethod) {
    case 'none':
      return None();
    case 'client_secret_basic':
      return clientSecretBasic(required(client.clientSecret, 'client_secret'));
    case 'client_secret_post':
      return ClientSecretPost(required(client.clientSecret, 'client_secret'));
    case 'private_key_jwt':
      return PrivateKeyJwt(await importPrivateKey(required(client.privateKey, 'private_key')));
    default:
      return client.authMethod satisfies never;
  }
};
