import { HUB_LOGIN, loginHolder, type LoginUser, type Server } from '@plugboard/contract';

/** The user, when a login of its own is used: everybody else is served together. */
export const withOwnLogin = ({ config }: Server, user: LoginUser | undefined): LoginUser | undefined =>
  user === undefined || loginHolder(config, user) === HUB_LOGIN ? undefined : user;

/** Whose logins to the URL of a server become logins to the server when a user registers it. */
export const adoptedHolders = ({ config }: Server, user: LoginUser | undefined): ReadonlySet<string> =>
  new Set([HUB_LOGIN, ...(user === undefined ? [] : [loginHolder(config, user)])]);
