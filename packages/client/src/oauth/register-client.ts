import { isLoopbackHost } from '@plugboard/base';
import type {
  AuthorizationServerMetadata,
  TokenEndpointAuth,
  RegisteredClient,
  RegistrationRequest,
} from '@plugboard/contract';
import { allowInsecureRequests, customFetch, dynamicClientRegistrationRequest } from 'oauth4webapi';
import { libraryFetch, toLibraryServer } from './library-request.js';
import { listMember, textMember } from './metadata-field.js';
import { OAuthFailure } from './oauth-failure.js';
import type { OAuthHttp } from './oauth-http.js';
import { readAnswer } from './read-answer.js';
import { chooseAuthMethod, configuredClient } from './registered-client.js';

const METHODS: ReadonlySet<string> = new Set(['none', 'client_secret_basic', 'client_secret_post']);

const isMethod = (text: string | undefined): text is TokenEndpointAuth => text !== undefined && METHODS.has(text);

/** What we say of ourselves, to a registration endpoint or in a metadata document. */
export const clientMetadata = (redirectUris: readonly string[], clientName: string, method: TokenEndpointAuth) => ({
  client_name: clientName,
  redirect_uris: [...redirectUris],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: method,
  application_type: redirectUris.every((uri) => isLoopbackHost(new URL(uri).hostname)) ? 'native' : 'web',
});

const register = async (
  http: OAuthHttp,
  request: RegistrationRequest,
  signal: AbortSignal,
): Promise<RegisteredClient> => {
  const { metadata, redirectUri, clientName } = request;
  const supported = metadata.token_endpoint_auth_methods_supported;
  const asked = chooseAuthMethod(supported, { secret: true, privateKey: false });
  const response = await dynamicClientRegistrationRequest(
    toLibraryServer(metadata),
    clientMetadata([redirectUri], clientName, asked),
    { [customFetch]: libraryFetch(http), [allowInsecureRequests]: true, signal },
  );
  const answer = await readAnswer(response, { what: 'register a client', issuer: metadata.issuer, secrets: [] });
  const clientId = textMember(answer, 'client_id');
  if (clientId === undefined) {
    throw new OAuthFailure('rejected', 'The authorization server registered a client without an id.');
  }
  const clientSecret = textMember(answer, 'client_secret');
  const said = textMember(answer, 'token_endpoint_auth_method');
  const expiresAt = answer['client_secret_expires_at'];
  return {
    clientId,
    ...(clientSecret === undefined ? {} : { clientSecret }),
    authMethod: isMethod(said)
      ? said
      : chooseAuthMethod(supported, { secret: clientSecret !== undefined, privateKey: false }),
    source: 'registered',
    ...(typeof expiresAt === 'number' && expiresAt > 0 ? { secretExpiresAt: expiresAt * 1000 } : {}),
  };
};

/** The first step of the ladder that holds: entered by hand, our metadata document, registration. */
export const obtainClient = async (
  http: OAuthHttp,
  request: RegistrationRequest,
  signal: AbortSignal,
): Promise<RegisteredClient> => {
  const { metadata, settings, clientMetadataUrl } = request;
  const configured = configuredClient(settings, metadata.token_endpoint_auth_methods_supported);
  if (configured !== undefined) return configured;
  if (metadata.client_id_metadata_document_supported === true && clientMetadataUrl !== undefined) {
    return { clientId: clientMetadataUrl, authMethod: 'none', source: 'document' };
  }
  if (metadata.registration_endpoint !== undefined) return register(http, request, signal);
  throw new OAuthFailure('unsupported', 'The authorization server does not support dynamic client registration.', {
    hint: 'Register a client there by hand and put its client_id (and client_secret) into the "oauth" settings of the server.',
    details: { issuer: metadata.issuer, ...optionalScopes(metadata) },
  });
};

const optionalScopes = (metadata: AuthorizationServerMetadata) => {
  const scopes = listMember({ ...metadata }, 'scopes_supported');
  return scopes === undefined ? {} : { scopes_supported: scopes.slice(0, 50) };
};
