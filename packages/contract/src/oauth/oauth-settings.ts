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
    .describe('authorization_code: a person logs in. client_credentials: the hub logs in as itself'),
  client_id: z.string().min(1).max(2048).nullish().describe('the id of a client that you registered manually'),
  client_secret: headerValue.nullish(),
  issuer: httpUrl
    .max(2048)
    .nullish()
    .describe(
      'the authorization server that may receive client_secret or private_key; required unless it is the server itself',
    ),
  scopes: z
    .array(scopeName)
    .max(100)
    .nullish()
    .describe('the scopes to request instead of those that the server advertises'),
  resource: z
    .boolean()
    .nullish()
    .describe(
      'send the resource parameter (RFC 8707) in token requests; set false for authorization servers that reject it',
    ),
  token_endpoint_auth: z
    .enum(['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'])
    .nullish()
    .describe('how the client authenticates; default: chosen from what the authorization server supports'),
  sharing: loginSharing
    .nullish()
    .describe(
      "who may use the hub's login: shared (default): every caller without a login. per-agent: operators of the hub. per-user: nobody else",
    ),
  private_key: z.string().min(1).max(16_384).nullish().describe('PEM (PKCS #8) or JWK, for private_key_jwt'),
});
export type OAuthSettings = z.infer<typeof oauthSettings>;
