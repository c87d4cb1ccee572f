import { createHash } from 'node:crypto';
import type {
  ErrorDescription,
  OAuthSessionId,
  RegisteredClient,
  ServerAuthorization,
  ServerId,
  TokenSet,
} from '@plugboard/contract';
import type { Insertable, Selectable } from 'kysely';
import type { SecretBox } from '../secret/secret-box.js';
import type { CredentialKey, NewCredential, StoredCredential, StoredLogin } from './oauth-store.js';
import type { Tables } from './tables.js';

type LoginRow = Selectable<Tables['oauth_sessions']>;
type CredentialRow = Selectable<Tables['oauth_credentials']>;

/** A state is found by its hash, so that reading the table gives nobody a state. */
export const stateHash = (state: string): string => createHash('sha256').update(state).digest('base64url');

export const loginPlace = (id: string): string => `oauth_sessions|${id}|secrets`;
export const credentialPlace = (key: CredentialKey): string => `oauth_credentials|${key.owner}|${key.principal}`;
export const clientPlace = (issuer: string, redirectUri: string): string => `oauth_clients|${issuer}|${redirectUri}`;

interface LoginSecrets {
  readonly state: string;
  readonly codeVerifier: string;
  readonly authorizationUrl: string;
  readonly client: RegisteredClient;
}

interface CredentialSecrets {
  readonly client: RegisteredClient;
  readonly tokens?: TokenSet | undefined;
}

export const toLoginRow = (login: StoredLogin, box: SecretBox): Insertable<Tables['oauth_sessions']> => {
  const { state, codeVerifier, authorizationUrl, client } = login;
  const secrets: LoginSecrets = { state, codeVerifier, authorizationUrl, client };
  return {
    id: login.id,
    state_hash: stateHash(state),
    owner: login.key.owner,
    principal: login.key.principal,
    server_id: login.serverId,
    server_name: login.serverName,
    server_url: login.serverUrl,
    status: login.status,
    redirect_uri: login.redirectUri,
    scope: login.scope ?? null,
    send_resource: login.sendResource ? 1 : 0,
    discovered: JSON.stringify(login.authorization),
    secrets: box.seal(JSON.stringify(secrets), loginPlace(login.id)),
    error: login.error === undefined ? null : JSON.stringify(login.error),
    created_at: login.createdAt,
    expires_at: login.expiresAt,
  };
};

export const fromLoginRow = (row: LoginRow, box: SecretBox): StoredLogin => ({
  ...(JSON.parse(box.open(row.secrets, loginPlace(row.id))) as LoginSecrets),
  id: row.id as OAuthSessionId,
  key: { owner: row.owner, principal: row.principal },
  serverId: row.server_id as ServerId | null,
  serverName: row.server_name,
  serverUrl: row.server_url,
  status: row.status as StoredLogin['status'],
  redirectUri: row.redirect_uri,
  scope: row.scope ?? undefined,
  sendResource: row.send_resource !== 0,
  authorization: JSON.parse(row.discovered) as ServerAuthorization,
  error: row.error === null ? undefined : (JSON.parse(row.error) as ErrorDescription),
  createdAt: row.created_at,
  expiresAt: row.expires_at,
});

export const sealTokens = (credential: Pick<NewCredential, 'key' | 'client' | 'tokens'>, box: SecretBox): string => {
  const { client, tokens } = credential;
  const secrets: CredentialSecrets = { client, ...(tokens === undefined ? {} : { tokens }) };
  return box.seal(JSON.stringify(secrets), credentialPlace(credential.key));
};

export const toCredentialRow = (
  credential: NewCredential,
  version: number,
  box: SecretBox,
): Insertable<Tables['oauth_credentials']> => ({
  owner: credential.key.owner,
  principal: credential.key.principal,
  server_url: credential.serverUrl,
  grant_type: credential.grant,
  send_resource: credential.sendResource ? 1 : 0,
  discovered: JSON.stringify(credential.authorization),
  secrets: sealTokens(credential, box),
  ended: credential.ended ?? null,
  scope: credential.scope ?? null,
  version,
  lease_holder: null,
  lease_until: 0,
  updated_at: credential.updatedAt,
});

export const fromCredentialRow = (row: CredentialRow, box: SecretBox): StoredCredential => {
  const key = { owner: row.owner, principal: row.principal };
  const { client, tokens } = JSON.parse(box.open(row.secrets, credentialPlace(key))) as CredentialSecrets;
  return {
    key,
    serverUrl: row.server_url,
    grant: row.grant_type as StoredCredential['grant'],
    sendResource: row.send_resource !== 0,
    authorization: JSON.parse(row.discovered) as ServerAuthorization,
    client,
    tokens,
    ended: (row.ended as StoredCredential['ended'] | null) ?? undefined,
    scope: row.scope ?? undefined,
    version: row.version,
    updatedAt: row.updated_at,
  };
};

/** The same sealed secrets for another owner: what is sealed is bound to its place. */
export const movedCredential = (credential: StoredCredential, owner: string): NewCredential => ({
  ...credential,
  key: { ...credential.key, owner },
});
