import { describe, expect, it } from 'vitest';
import { oauthMember } from './oauth-flags.js';
import { placedFrom, sandboxMember } from './sandbox-flags.js';
import { targetConfig } from './server-target.js';

const nothing = { sse: false, env: {}, headers: {}, cwd: undefined, token: undefined, authHeader: undefined };

describe('the flags of a sandbox', () => {
  it.each([
    [{}, undefined, {}],
    [{ sandbox: true }, undefined, { sandbox: true }],
    [{ sandbox: false }, { network: true }, { sandbox: null }],
    [{ sandboxNetwork: true }, undefined, { sandbox: { network: true } }],
    [{ sandboxNetwork: false }, { network: true }, { sandbox: { network: false } }],
    [
      { sandboxRead: ['/b', '/a'], sandboxEnv: ['KEY'] },
      { read_only: ['/a'], writable: ['/w'] },
      { sandbox: { read_only: ['/a', '/b'], writable: ['/w'], env: ['KEY'] } },
    ],
  ])('%j on %j become %j', (flags, current, member) => {
    expect(sandboxMember(flags, current)).toEqual(member);
  });

  it('take relative paths from where they were typed', () => {
    const flags = { sandboxRead: ['docs', '${HOME}/x'], sandboxWrite: ['/w'] };
    expect(placedFrom('/here', flags)).toEqual({ sandboxRead: ['/here/docs', '${HOME}/x'], sandboxWrite: ['/w'] });
  });

  it('mean nothing for a URL', () => {
    const url = { ...nothing, target: ['https://a.example/mcp'] };
    expect(() => targetConfig({ ...url, sandboxRead: ['/a'] })).toThrow('--sandbox-read can be used only');
    expect(targetConfig({ ...nothing, target: ['node', 'x.js'], sandbox: true })).toMatchObject({ sandbox: true });
  });
});

describe('the flags of an OAuth client', () => {
  it('leave what is stored and was not named', () => {
    const stored = { grant: 'client_credentials', client_id: 'me', issuer: 'https://a.example' } as const;
    expect(oauthMember({}, stored)).toEqual({});
    expect(oauthMember({ oauthIssuer: 'https://b.example' }, stored)).toEqual({
      oauth: { ...stored, issuer: 'https://b.example' },
    });
    const secret = { ...stored, client_secret: '••••' };
    expect(oauthMember({ oauthIssuer: 'https://b.example' }, secret)).toMatchObject({ oauth: { client_secret: null } });
    expect(oauthMember({ oauthClientId: 'you' }, secret)).toEqual({ oauth: { ...secret, client_id: 'you' } });
    expect(oauthMember({ oauthIssuer: 'default' }, stored)).toEqual({ oauth: { ...stored, issuer: null } });
    expect(oauthMember({ oauthClientId: 'me', oauthClientSecret: 's' })).toEqual({
      oauth: { grant: 'authorization_code', client_id: 'me', client_secret: 's' },
    });
  });

  it('mean nothing for a program', () => {
    const program = { ...nothing, target: ['node', 'x.js'], oauthIssuer: 'https://a.example' };
    expect(() => targetConfig(program)).toThrow('--oauth-issuer can be used only with a URL');
  });
});
