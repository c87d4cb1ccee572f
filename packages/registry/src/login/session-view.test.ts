import { oauthSession } from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import type { StoredLogin } from '../store/oauth-store.js';
import { sessionView } from './session-view.js';

const login: StoredLogin = {
  id: 'mcp-oauth-00000000-0000-4000-8000-000000000000',
  key: { owner: 'url https://tools.example/mcp', principal: 'local' },
  serverId: null,
  serverName: 'tools',
  serverUrl: 'https://tools.example/mcp',
  status: 'pending',
  redirectUri: 'http://127.0.0.1/cb',
  scope: 'a',
  sendResource: true,
  authorization: {
    resource: 'https://tools.example/mcp',
    metadata: { issuer: 'https://login.example', token_endpoint: 'https://login.example/token' },
  },
  client: { clientId: 'me', clientSecret: 'client-secret-canary', authMethod: 'none', source: 'registered' },
  state: 'state',
  codeVerifier: 'verifier-canary',
  authorizationUrl: 'https://login.example/authorize',
  error: undefined,
  createdAt: 0,
  expiresAt: 1000,
};

describe('a login as it is shown', () => {
  it.each([
    ['pending', 999, 'pending', true],
    ['pending', 1000, 'error', false],
    ['exchanging', 999, 'pending', false],
    ['authorized', 5000, 'authorized', false],
    ['error', 5000, 'error', false],
  ] as const)('that is %s at %i is %s', (status, now, shown, hasUrl) => {
    const view = sessionView({ ...login, status }, now);
    expect(view.status).toBe(shown);
    expect(view.authorization_url !== undefined).toBe(hasUrl);
    expect(oauthSession.safeParse(view).success).toBe(true);
  });

  it('says that nobody came, or what went wrong', () => {
    expect(sessionView(login, 1000).error).toMatchObject({ code: 'AUTH_REQUIRED' });
    const error = { code: 'UPSTREAM_AUTH', message: 'No.' } as const;
    expect(sessionView({ ...login, status: 'error', error }, 1000).error).toEqual(error);
  });

  it('holds no secret', () => {
    expect(JSON.stringify(sessionView(login, 0))).not.toMatch(/canary/u);
  });
});
