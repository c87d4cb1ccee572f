import type {
  ErrorDescription,
  OAuthSessionId,
  RegisteredClient,
  ServerAuthorization,
  ServerId,
  TokenSet,
} from '@plugboard/contract';

/** Whose tokens for what: `owner` is the id of a server, or `url <its URL>` while it is not registered. */
export interface CredentialKey {
  readonly owner: string;
  readonly principal: string;
}

/** A login from its URL to its end. */
export interface StoredLogin {
  readonly id: OAuthSessionId;
  readonly key: CredentialKey;
  readonly serverId: ServerId | null;
  readonly serverName: string;
  readonly serverUrl: string;
  /** exchanging: the browser came back, and nobody else may come back with it. */
  readonly status: 'pending' | 'exchanging' | 'authorized' | 'error';
  readonly redirectUri: string;
  readonly scope: string | undefined;
  /** Is the server named in requests for tokens (RFC 8707)? */
  readonly sendResource: boolean;
  readonly authorization: ServerAuthorization;
  readonly client: RegisteredClient;
  readonly state: string;
  readonly codeVerifier: string;
  readonly authorizationUrl: string;
  readonly error: ErrorDescription | undefined;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** What we hold for a server after a login. */
export interface StoredCredential {
  readonly key: CredentialKey;
  readonly serverUrl: string;
  readonly grant: 'authorization_code' | 'client_credentials';
  readonly sendResource: boolean;
  readonly authorization: ServerAuthorization;
  readonly client: RegisteredClient;
  /** Undefined once they are of no use any more; `ended` says why. */
  readonly tokens: TokenSet | undefined;
  readonly ended: 'revoked' | undefined;
  /** What was asked for: the next login must not ask for less. */
  readonly scope: string | undefined;
  /** Grows with every change, so that two processes cannot both make the next one. */
  readonly version: number;
  readonly updatedAt: number;
}

export type NewCredential = Omit<StoredCredential, 'version'>;

export interface TokenChange {
  readonly tokens: TokenSet | undefined;
  readonly ended?: 'revoked' | undefined;
  readonly at: number;
}

/** The right to renew a credential, for a while. */
export interface LeaseRequest {
  readonly holder: string;
  /** By the clock of the store: those of replicas may differ. */
  readonly ttlMs: number;
}

/** Where logins, tokens and client registrations are kept, sealed. */
export interface OAuthStore {
  putLogin(login: StoredLogin): Promise<void>;
  login(id: string): Promise<StoredLogin | undefined>;
  /** The newest first. */
  logins(filter: {
    readonly serverId?: string | undefined;
    readonly principal: string;
  }): Promise<readonly StoredLogin[]>;
  /** Finds the pending login of a state and makes it `exchanging`: only the first who asks gets it. */
  claimLogin(state: string, now: number): Promise<StoredLogin | undefined>;
  settleLogin(id: OAuthSessionId, outcome: { readonly error?: ErrorDescription | undefined }): Promise<void>;
  deleteLogins(key: CredentialKey): Promise<void>;
  /** Forgets logins that nobody finished. */
  forgetLogins(before: number): Promise<void>;
  credential(key: CredentialKey): Promise<StoredCredential | undefined>;
  credentialsOf(owner: string): Promise<readonly StoredCredential[]>;
  /** Everything that one principal is logged in to. */
  credentialsHeldBy(principal: string): Promise<readonly StoredCredential[]>;
  /** Forgets the logins and tokens of a principal that is gone. */
  deleteHeldBy(principal: string): Promise<void>;
  putCredential(credential: NewCredential): Promise<StoredCredential>;
  /** Changes the tokens of that very version; undefined when somebody else was faster. */
  replaceTokens(key: CredentialKey, version: number, change: TokenChange): Promise<StoredCredential | undefined>;
  deleteCredential(key: CredentialKey): Promise<void>;
  /** False while somebody else holds it. */
  lease(key: CredentialKey, request: LeaseRequest): Promise<boolean>;
  releaseLease(key: CredentialKey, holder: string): Promise<void>;
  client(issuer: string, redirectUri: string): Promise<RegisteredClient | undefined>;
  putClient(issuer: string, redirectUri: string, client: RegisteredClient): Promise<void>;
  /** The issuer does not know us any more. */
  deleteClients(issuer: string): Promise<void>;
}
