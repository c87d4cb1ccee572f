import type { OAuthSettings } from './oauth-settings.js';

/** What is used of an authorization server's metadata (RFC 8414, OpenID Connect Discovery). */
export interface AuthorizationServerMetadata {
  readonly issuer: string;
  readonly token_endpoint: string;
  readonly authorization_endpoint?: string;
  readonly registration_endpoint?: string;
  readonly revocation_endpoint?: string;
  readonly scopes_supported?: readonly string[];
  readonly token_endpoint_auth_methods_supported?: readonly string[];
  readonly code_challenge_methods_supported?: readonly string[];
  readonly authorization_response_iss_parameter_supported?: boolean;
  readonly client_id_metadata_document_supported?: boolean;
}

/** Who authorizes requests to a server, and how. */
export interface ServerAuthorization {
  /** The server's name in requests for tokens (RFC 8707). */
  readonly resource: string;
  readonly scopesSupported?: readonly string[];
  readonly metadata: AuthorizationServerMetadata;
}

export type TokenEndpointAuth = NonNullable<OAuthSettings['token_endpoint_auth']>;

/** Who we are at one authorization server. It means nothing at any other. */
export interface RegisteredClient {
  readonly clientId: string;
  readonly clientSecret?: string;
  readonly authMethod: TokenEndpointAuth;
  /** PEM or JWK, for private_key_jwt. */
  readonly privateKey?: string;
  /** configured: by hand. document: the id is the URL of our metadata. registered: by the authorization server. */
  readonly source: 'configured' | 'document' | 'registered';
  /** Milliseconds since 1970, when the secret runs out. */
  readonly secretExpiresAt?: number;
}

/** What a token endpoint handed out. */
export interface TokenSet {
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** Milliseconds since 1970; left out when the server did not say. */
  readonly expiresAt?: number;
  /** What was granted; left out when it is what was asked for. */
  readonly scope?: string;
}

export interface AuthorizationQuestion {
  readonly serverUrl: string;
  /** The WWW-Authenticate field of the refusal. */
  readonly challenge?: string | undefined;
}

export interface RegistrationRequest {
  readonly metadata: AuthorizationServerMetadata;
  readonly settings?: OAuthSettings | undefined;
  readonly redirectUri: string;
  readonly clientName: string;
  /** An https URL where our metadata can be read, when there is one (Client ID Metadata Documents). */
  readonly clientMetadataUrl?: string | undefined;
}

export interface LoginRequest {
  readonly metadata: AuthorizationServerMetadata;
  readonly client: RegisteredClient;
  readonly redirectUri: string;
  readonly state: string;
  readonly scope?: string | undefined;
  /** RFC 8707; left out for authorization servers that refuse it. */
  readonly resource?: string | undefined;
}

export interface StartedLogin {
  /** Where a person has to go. */
  readonly url: string;
  /** To be kept until the code is exchanged, and shown to nobody. */
  readonly codeVerifier: string;
}

export interface TokenQuestion {
  readonly metadata: AuthorizationServerMetadata;
  readonly client: RegisteredClient;
  readonly resource?: string | undefined;
}

export interface CodeExchange extends TokenQuestion {
  readonly redirectUri: string;
  readonly codeVerifier: string;
  readonly state: string;
  /** What came back with the browser. */
  readonly answer: URLSearchParams;
}

export interface RefreshQuestion extends TokenQuestion {
  readonly refreshToken: string;
}

export interface ClientCredentialsQuestion extends TokenQuestion {
  readonly scope?: string | undefined;
}

export interface Revocation extends Omit<TokenQuestion, 'resource'> {
  readonly tokens: { readonly accessToken?: string | undefined; readonly refreshToken?: string | undefined };
}

/** What was found out about the scopes of a server. */
export interface ScopeFacts {
  /** What an operator asked for. */
  readonly configured?: readonly string[] | undefined;
  /** The WWW-Authenticate field, whose scope is what the server wants for the request that it refused. */
  readonly challenge?: string | undefined;
  /** What the server's metadata names. */
  readonly ofResource?: readonly string[] | undefined;
  /** What the authorization server's metadata names. */
  readonly ofIssuer?: readonly string[] | undefined;
  /** What was asked for before: a new login must not lose it. */
  readonly earlier?: string | undefined;
}

/**
 * What a failed step means for the stored login; `details.oauth_failure` has it.
 * transient: try later, and keep everything. invalid-grant: the login is over. invalid-client: the client is not known.
 * unsupported: the server offers no authorization that we can use. rejected: an answer that must not be trusted.
 */
export type OAuthFailureKind =
  | 'transient'
  | 'invalid-grant'
  | 'invalid-client'
  | 'refused'
  | 'unsupported'
  | 'rejected';

/** The steps of OAuth to an MCP server. They keep nothing: the caller keeps the login. */
export interface OAuthProtocol {
  discover(question: AuthorizationQuestion, signal: AbortSignal): Promise<ServerAuthorization>;
  obtainClient(request: RegistrationRequest, signal: AbortSignal): Promise<RegisteredClient>;
  /** The scope to ask for; undefined leaves the choice to the authorization server. */
  chooseScope(facts: ScopeFacts): string | undefined;
  startLogin(request: LoginRequest): Promise<StartedLogin>;
  exchangeCode(exchange: CodeExchange, signal: AbortSignal): Promise<TokenSet>;
  refresh(question: RefreshQuestion, signal: AbortSignal): Promise<TokenSet>;
  clientCredentials(question: ClientCredentialsQuestion, signal: AbortSignal): Promise<TokenSet>;
  /** False when the authorization server offers no way to. */
  revoke(revocation: Revocation, signal: AbortSignal): Promise<boolean>;
}
