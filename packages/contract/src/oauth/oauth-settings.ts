import { z } from 'zod';
import { httpUrl } from '../field/http-url.js';
import { headerValue } from '../field/text.js';

const scopeName = z
  .string()
  .min(1)
  .max(256)
  .regex(/^[\u0021\u0023-\u005b\u005d-\u007e]+$/u, 'must be one scope name without spaces or quotes');

/** Whether callers need a login of their own: nobody, agents, or everybody. */
const loginSharing = z.enum(['shared', 'per-agent', 'per-user']);

/** How Plugboard logs in to a server that asks for OAuth. Without it everything is found out from the server. */
export const oauthSettings = z.strictObject({
  grant: z
    .enum(['authorization_code', 'client_credentials'])
    .default('authorization_code')
    .describe('a person logs in, or Plugboard logs in as itself'),
  client_id: z.string().min(1).max(2048).nullish().describe('a client that was registered by hand'),
  client_secret: headerValue.nullish(),
  issuer: httpUrl
    .max(2048)
    .nullish()
    .describe(
      'the authorization server that client_secret or private_key is for: no other gets it; needed unless it is the server itself',
    ),
  scopes: z.array(scopeName).max(100).nullish().describe('asked for in place of what the server advertises'),
  resource: z
    .boolean()
    .nullish()
    .describe('name the server in requests for tokens (RFC 8707); false for authorization servers that refuse it'),
  token_endpoint_auth: z
    .enum(['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'])
    .nullish()
    .describe('how the client proves itself; chosen from what the authorization server offers when left out'),
  sharing: loginSharing
    .nullish()
    .describe(
      'who may use the login of the hub: everybody without one of their own (shared, the default), those who operate the hub (per-agent), or nobody else (per-user)',
    ),
  private_key: z.string().min(1).max(16_384).nullish().describe('PEM (PKCS #8) or JWK, for private_key_jwt'),
});
export type OAuthSettings = z.infer<typeof oauthSettings>;
