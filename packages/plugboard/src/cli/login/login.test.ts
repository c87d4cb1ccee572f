import type { OAuthSession } from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import type { FakeHubOptions } from '../../test-support/fake-hub.js';
import { runFake } from '../../test-support/run-fake.js';
import { aServer } from '../../test-support/shapes.js';

const ID = 'mcp-oauth-00000000-0000-4000-8000-000000000001';
const SESSIONS = '/v1/oauth/sessions';
const AGENT = 'agent-00000000-0000-4000-8000-000000000001';
const AT = '2026-01-02T03:04:05.000Z';

const server = aServer({
  server_name: 'notes',
  config: { mcp_server_type: 'streamable_http', server_url: 'https://notes.example/mcp' },
});

const session = (members: Partial<OAuthSession>): OAuthSession => ({
  id: ID,
  server_id: server.id,
  server_name: 'notes',
  server_url: 'https://notes.example/mcp',
  status: 'pending',
  created_at: AT,
  expires_at: AT,
  ...members,
});

/** A hub that a browser can reach, at which the login comes to an end after some questions. */
const hub = (ends: readonly Partial<OAuthSession>[]): FakeHubOptions => {
  let asked = 0;
  return {
    servers: [server],
    place: { kind: 'running', url: 'http://127.0.0.1:2091' },
    answers: {
      [SESSIONS]: session({ authorization_url: 'https://login.example/authorize' }),
      [`${SESSIONS}/${ID}`]: () => session(ends[Math.min(asked++, ends.length - 1)] ?? {}),
      '/v1/agents/bot': { id: AGENT },
      [`/v1/mcp-servers/${server.id}/oauth`]: { logged_out: true },
    },
  };
};

describe('login', () => {
  it('shows the URL, waits until somebody has logged in, and reads the tools', async () => {
    const { code, stdout, stderr, hub: asked } = await runFake(['login', 'notes'], hub([{}, { status: 'authorized' }]));
    expect(code).toBe(0);
    expect(stderr).toContain('https://login.example/authorize');
    expect(stdout).toContain('Logged in to notes');
    expect(asked.seen.filter(({ path }) => path.startsWith(`${SESSIONS}/`))).toHaveLength(2);
    expect(asked.seen.at(-1)?.path).toContain('/sync');
  });

  it('is for an agent where one is named', async () => {
    const { hub: asked } = await runFake(
      ['login', 'notes', '--agent', 'bot', '--json'],
      hub([{ status: 'authorized' }]),
    );
    expect(asked.seen.find(({ path }) => path === SESSIONS)?.body).toEqual({ server_id: server.id, agent_id: AGENT });
    expect(asked.seen.find(({ path }) => path.startsWith(`${SESSIONS}/`))?.path).toContain(`agent_id=${AGENT}`);
  });

  it('says why it did not succeed', async () => {
    const error = { code: 'AUTH_REQUIRED', message: 'The person said no.', hint: 'Ask again.' } as const;
    const { code, stderr } = await runFake(['login', 'notes'], hub([{ status: 'error', error }]));
    expect(code).toBe(5);
    expect(stderr).toContain('The person said no.');
    expect((await runFake(['login', 'notes'], hub([{ status: 'error' }]))).stderr).toContain('did not succeed');
  });

  it('gives up after its time', async () => {
    const { code, stderr } = await runFake(['login', 'notes', '--timeout', '0.001'], hub([{}]));
    expect(code).toBe(5);
    expect(stderr).toContain('The login was not completed within 0.001 s.');
  });
});

describe('logout', () => {
  it('takes the login back, and says when there was none', async () => {
    expect((await runFake(['logout', 'notes'], hub([]))).stdout).toContain('Logged out of notes.');
    const options = hub([]);
    const none = { ...options, answers: { ...options.answers, [`/v1/mcp-servers/${server.id}/oauth`]: {} } };
    expect((await runFake(['logout', 'notes', '--agent', 'bot'], none)).stdout).toContain('There was no login');
  });
});
