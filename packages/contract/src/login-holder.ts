import type { Principal } from './principal.js';

/** What of a config says whose login is used; whether its secrets are wrapped does not matter. */
interface LoginConfig {
  readonly mcp_server_type: string;
  readonly auth_token?: unknown;
  readonly custom_headers?: object | null | undefined;
  readonly oauth?: { readonly grant?: string; readonly sharing?: string | null | undefined } | null | undefined;
}

/** Who holds the logins that those who operate the hub made: the hub itself. */
export const HUB_LOGIN = 'local';

/** On whose behalf a server is called. */
export interface LoginUser {
  readonly principal: string;
  /** Under which name its own logins are kept; left out for those who operate the hub. */
  readonly ownLogin?: string | undefined;
}

/** An agent has logins of its own, whichever of its keys it uses; so has whoever calls in that role without being one. */
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

/** Whose login to a server a caller uses and makes. Where the hub logs in as itself, there is only the hub's. */
export const loginHolder = (config: LoginConfig, { principal, ownLogin }: LoginUser): string => {
  if (ownLogin === undefined && principal === HUB_LOGIN) return HUB_LOGIN;
  if (!mayAskForLogin(config) || config.oauth?.grant === 'client_credentials') return HUB_LOGIN;
  return ownLogin ?? (config.oauth?.sharing === 'per-user' ? principal : HUB_LOGIN);
};

/** May somebody who has no login of its own use the hub's? */
export const mayBorrowLogin = (config: LoginConfig, holder: string): boolean =>
  holder !== HUB_LOGIN && mayAskForLogin(config) && (config.oauth?.sharing ?? 'shared') === 'shared';
