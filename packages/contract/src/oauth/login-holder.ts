import type { OAuthSettings } from './oauth-settings.js';
import type { Principal } from '../access/principal.js';
import { revealed, type Secret } from '../secret/secret.js';
import { hasReference } from '../field/template-reference.js';

/** What of a config says whose login is used; whether its secrets are wrapped does not matter. */
interface LoginConfig {
  readonly mcp_server_type: string;
  readonly auth_token?: unknown;
  readonly custom_headers?: object | null | undefined;
  readonly server_url?: string;
  readonly oauth?: LoginSettings | null | undefined;
}

type Text = string | Secret | null | undefined;

type LoginSettings = Partial<Omit<OAuthSettings, 'client_secret' | 'private_key'>> & {
  readonly client_secret?: Text;
  readonly private_key?: Text;
};

/** Who holds the logins that those who operate the hub made: the hub itself. */
export const HUB_LOGIN = 'local';

/** On whose behalf a server is called. */
export interface LoginUser {
  readonly principal: string;
  /** Under which name its own logins are kept; left out for those who operate the hub. */
  readonly ownLogin?: string | undefined;
}

/** An agent has its own logins, whichever key it uses. So does a caller with that role that is not an agent. */
export const loginUserOf = ({ id, role, agent }: Principal): LoginUser => {
  const ownLogin = agent ?? (role === 'agent' ? id : undefined);
  return { principal: id, ...(ownLogin === undefined ? {} : { ownLogin }) };
};

export const loginUserOfAgent = (agent: string): LoginUser => ({ principal: agent, ownLogin: agent });

/** May the server ask for a login? Not one that has a token of its own. */
export const mayAskForLogin = (config: LoginConfig): boolean =>
  config.mcp_server_type !== 'stdio' &&
  (config.auth_token ?? '') === '' &&
  !Object.keys(config.custom_headers ?? {}).some((name) => name.toLowerCase() === 'authorization');

/** Do variables decide where, or as which client, a program logs in? Then what one agent gets is not for another. */
const dependsOnVariables = ({ server_url: url, oauth }: LoginConfig): boolean => {
  const { client_id: id, client_secret: secret, private_key: key, issuer, scopes } = oauth ?? {};
  const texts: readonly Text[] = [url, id, secret, key, issuer, ...(scopes ?? [])];
  return texts.some((text) => text !== null && text !== undefined && hasReference(revealed(text)));
};

/**
 * Whose login to a server a caller uses and makes. Where the hub logs in as itself, there is only the hub's, unless the
 * variables of an agent say as whom.
 */
export const loginHolder = (config: LoginConfig, { principal, ownLogin }: LoginUser): string => {
  if (ownLogin === undefined && principal === HUB_LOGIN) return HUB_LOGIN;
  if (!mayAskForLogin(config)) return HUB_LOGIN;
  if (config.oauth?.grant === 'client_credentials') {
    return ownLogin !== undefined && dependsOnVariables(config) ? ownLogin : HUB_LOGIN;
  }
  return ownLogin ?? (config.oauth?.sharing === 'per-user' ? principal : HUB_LOGIN);
};

/** May somebody who has no login of its own use the hub's? A program never needs to: it logs in without a person. */
export const mayBorrowLogin = (config: LoginConfig, holder: string): boolean =>
  holder !== HUB_LOGIN &&
  mayAskForLogin(config) &&
  config.oauth?.grant !== 'client_credentials' &&
  (config.oauth?.sharing ?? 'shared') === 'shared';
