import type { OAuthSession } from '@plugboard/contract';
import { isoTime } from '../port/clock.js';
import type { StoredLogin } from '../store/oauth-store.js';

const statusOf = ({ status, expiresAt }: StoredLogin, now: number): OAuthSession['status'] => {
  switch (status) {
    case 'pending':
      return expiresAt > now ? 'pending' : 'error';
    case 'exchanging':
      return 'pending';
    case 'authorized':
    case 'error':
      return status;
    default:
      return status satisfies never;
  }
};

/** A login as it may be shown: no state, no code, no token beyond what the URL itself carries. It begins at `beginAt`. */
export const sessionView = (login: StoredLogin, now: number, beginAt?: string): OAuthSession => {
  const status = statusOf(login, now);
  const expired = login.status === 'pending' && status === 'error';
  return {
    id: login.id,
    server_id: login.serverId,
    server_name: login.serverName,
    server_url: login.serverUrl,
    status,
    ...(login.status === 'pending' && !expired ? { authorization_url: beginAt ?? login.authorizationUrl } : {}),
    ...(login.scope === undefined ? {} : { scope: login.scope }),
    ...(login.error === undefined ? {} : { error: login.error }),
    ...(expired
      ? {
          error: {
            code: 'AUTH_REQUIRED' as const,
            message: 'The login was not completed in time.',
            hint: 'Start the login again.',
          },
        }
      : {}),
    created_at: isoTime(login.createdAt),
    expires_at: isoTime(login.expiresAt),
  };
};
