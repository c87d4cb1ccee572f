import { describe, expect, it } from 'vitest';
import {
  HUB_LOGIN,
  loginHolder,
  loginUserOf,
  loginUserOfAgent,
  mayAskForLogin,
  mayBorrowLogin,
} from './login-holder.js';
import { LOCAL_PRINCIPAL, type Principal } from '../access/principal.js';
import { Secret } from '../secret/secret.js';

const AGENT = 'agent-00000000-0000-4000-8000-000000000001';
const http = (more: object = {}) => ({ mcp_server_type: 'streamable_http', server_url: 'https://a.example', ...more });
const withSharing = (sharing?: string, grant?: string) => http({ oauth: { sharing, grant } });

const OPERATOR: Principal = { id: 'key-1', role: 'operator' };
const OF_AGENT: Principal = { id: 'key-2', role: 'agent', agent: AGENT };
const BARE: Principal = { id: 'key-3', role: 'agent' };

describe('whose login a caller uses', () => {
  it.each([
    ['shared', LOCAL_PRINCIPAL, HUB_LOGIN],
    ['shared', OPERATOR, HUB_LOGIN],
    ['shared', OF_AGENT, AGENT],
    ['shared', BARE, 'key-3'],
    ['per-agent', LOCAL_PRINCIPAL, HUB_LOGIN],
    ['per-agent', OPERATOR, HUB_LOGIN],
    ['per-agent', OF_AGENT, AGENT],
    ['per-user', LOCAL_PRINCIPAL, HUB_LOGIN],
    ['per-user', OPERATOR, 'key-1'],
    ['per-user', OF_AGENT, AGENT],
    ['per-user', BARE, 'key-3'],
  ] as const)('where logins are %s: %o', (sharing, principal, holder) => {
    expect(loginHolder(withSharing(sharing), loginUserOf(principal))).toBe(holder);
  });

  it('is the hub’s where the hub logs in as itself, or nobody does', () => {
    const user = loginUserOfAgent(AGENT);
    expect(loginHolder(withSharing('per-user', 'client_credentials'), user)).toBe(HUB_LOGIN);
    expect(loginHolder(http({ auth_token: 'x' }), user)).toBe(HUB_LOGIN);
    expect(loginHolder({ mcp_server_type: 'stdio' }, user)).toBe(HUB_LOGIN);
  });

  it.each([
    ['the client', { client_id: '{{ ID }}' }],
    ['its secret', { client_id: 'machine', client_secret: Secret.of('${SECRET}') }],
    ['its key', { client_id: 'machine', private_key: '{{ KEY }}' }],
    ['the issuer', { client_id: 'machine', issuer: 'https://login.example/{{ TENANT }}' }],
    ['a scope', { client_id: 'machine', scopes: ['of-{{TENANT}}'] }],
  ])('is an agent’s own where its variables say %s', (_, oauth) => {
    const config = http({ oauth: { grant: 'client_credentials', ...oauth } });
    expect(loginHolder(config, loginUserOfAgent(AGENT))).toBe(AGENT);
    expect(mayBorrowLogin(config, AGENT)).toBe(false);
    expect(loginHolder(config, loginUserOf(OPERATOR))).toBe(HUB_LOGIN);
  });

  it('is an agent’s own where its variables say where the server is', () => {
    const config = http({ server_url: 'https://{{ TENANT }}.example', oauth: { grant: 'client_credentials' } });
    expect(loginHolder(config, loginUserOfAgent(AGENT))).toBe(AGENT);
  });

  it('may be borrowed from the hub where logins are shared, and nowhere else', () => {
    expect(mayBorrowLogin(http(), AGENT)).toBe(true);
    expect(mayBorrowLogin(withSharing('shared'), AGENT)).toBe(true);
    expect(mayBorrowLogin(withSharing('per-agent'), AGENT)).toBe(false);
    expect(mayBorrowLogin(withSharing('per-user'), 'key-1')).toBe(false);
    expect(mayBorrowLogin(http(), HUB_LOGIN)).toBe(false);
  });

  it('does not matter to a server that has a token already', () => {
    expect(mayAskForLogin(http())).toBe(true);
    expect(mayAskForLogin(http({ auth_token: '' }))).toBe(true);
    expect(mayAskForLogin(http({ auth_token: 'x' }))).toBe(false);
    expect(mayAskForLogin(http({ custom_headers: { AUTHORIZATION: 'x' } }))).toBe(false);
  });
});
