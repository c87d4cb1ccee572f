import { describe, expect, it, onTestFinished } from 'vitest';
import type { Agent, ApiKeyCreated } from '../../../packages/contract/src/index.js';
import { composeHub } from '../../../packages/plugboard/src/compose/compose-hub.js';
import { openHub } from '../../../packages/plugboard/src/hub-api/connect/open-hub.js';
import { runCli } from '../../../packages/plugboard/src/cli/run-cli.js';
import { fakeProcess } from '../../../packages/plugboard/src/test-support/fake-process.js';
import { hubCallWith } from '../../support/hub-call.js';
import { callEcho, SERVER_NAME, urlIn, type ErrorAnswer } from '../../support/echo-call.js';
import { oauthRig } from './rig.js';

const ADMIN_KEY = 'the-key-of-the-operator-of-this-test';
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

const access = { required: true, maxFailures: 1000, trustProxy: [], adminKey: ADMIN_KEY, oauth: undefined };

/** A hub that wants keys, its protected server, and two agents that were given that server. */
const startRig = async (sharing?: 'shared' | 'per-agent' | 'per-user') => {
  const rig = await oauthRig({ settings: { access }, adminKey: ADMIN_KEY });
  const admin = hubCallWith(rig.hub.url, ADMIN_KEY);
  const { id, sync } = await rig.register(sharing === undefined ? undefined : { sharing });
  const made = async <Made>(path: string, body: object): Promise<Made> =>
    (await admin('POST', path, body)).json as Made;
  const caller = (key: string) => ({
    key,
    ask: hubCallWith(rig.hub.url, key),
    echo: (text: string) => callEcho(rig.hub.url, text, key),
  });
  const agent = async (name: string) => {
    const { id: agentId } = await made<Agent>('/v1/agents', { name, server_ids: [id] });
    const { key } = await made<ApiKeyCreated>('/v1/keys', { name, agent_id: agentId });
    return { id: agentId, ...caller(key) };
  };
  const withRole = async (name: string, role: string) =>
    caller((await made<ApiKeyCreated>('/v1/keys', { name, role })).key);
  /** Logs the hub in, so that there is a login to share and the tools are known. */
  const hubLogsIn = async (): Promise<void> => {
    await rig.login(urlIn(sync.error));
    await admin('PATCH', `/v1/mcp-servers/${id}/refresh`);
  };
  return { rig, admin, id, agent, withRole, hubLogsIn };
};

const begin = async (ask: ReturnType<typeof hubCallWith>, body: object) => {
  const { status, json } = await ask('POST', '/v1/oauth/sessions', body);
  return { status, session: json as { id: string; authorization_url: string } };
};

const sessionIn = (error: ErrorAnswer | undefined): string => String(error?.details?.['session_id']);

describe('where logins are shared', () => {
  it('agents use the login of the hub until they have one of their own', async () => {
    const { rig, id, agent, hubLogsIn } = await startRig();
    const [first, second] = [await agent('first'), await agent('second')];
    await hubLogsIn();
    expect(await first.echo('borrowed')).toMatchObject({ text: 'borrowed' });
    expect(await second.echo('borrowed')).toMatchObject({ text: 'borrowed' });
    expect(rig.resource.tokensSeen.size).toBe(1);
    const { session } = await begin(first.ask, { server_id: id });
    expect(await rig.login(session.authorization_url)).toMatchObject({ status: 'success' });
    expect(await first.echo('own')).toMatchObject({ text: 'own' });
    expect(rig.resource.tokensSeen.size).toBe(2);
    expect(await second.echo('borrowed')).toMatchObject({ text: 'borrowed' });
    expect(rig.resource.tokensSeen.size).toBe(2);
    // Its logout leaves the login of the hub alone.
    expect((await first.ask('DELETE', `/v1/mcp-servers/${id}/oauth`)).json).toEqual({ logged_out: true });
    expect(await first.echo('borrowed again')).toMatchObject({ text: 'borrowed again' });
    expect((await first.ask('DELETE', `/v1/mcp-servers/${id}/oauth`)).json).toEqual({ logged_out: false });
  });

  it('nobody can log in for a server that it was not given', async () => {
    const { rig, id, agent } = await startRig();
    const [first, second] = [await agent('first'), await agent('second')];
    const other = await rig.register(undefined, 'other');
    expect((await begin(first.ask, { server_id: other.id })).status).toBe(404);
    expect((await first.ask('DELETE', `/v1/mcp-servers/${other.id}/oauth`)).status).toBe(404);
    expect((await begin(first.ask, { server_id: id, agent_id: second.id })).status).toBe(404);
  });
});

describe('where agents need logins of their own', () => {
  it('each is sent to its own login, sees no other, and refreshes its own token', async () => {
    const { rig, id, admin, agent, hubLogsIn } = await startRig('per-agent');
    const [first, second] = [await agent('first'), await agent('second')];
    await hubLogsIn();
    const refusals = [await first.echo('no'), await second.echo('no')];
    expect(refusals.map(({ error }) => error?.code)).toEqual(['AUTH_REQUIRED', 'AUTH_REQUIRED']);
    const [one, two] = refusals.map(({ error }) => sessionIn(error));
    expect(one).not.toBe(two);
    // Sessions: the agent's own, and those of an agent that whoever operates the hub names.
    expect((await first.ask('GET', `/v1/oauth/sessions/${one}`)).json).toMatchObject({ status: 'pending' });
    expect((await first.ask('GET', `/v1/oauth/sessions/${two}`)).status).toBe(404);
    expect((await first.ask('GET', `/v1/oauth/sessions/${two}?agent_id=${second.id}`)).status).toBe(404);
    expect((await first.ask('DELETE', `/v1/oauth/sessions/${two}`)).status).toBe(404);
    expect((await admin('GET', `/v1/oauth/sessions/${two}`)).status).toBe(404);
    expect((await admin('GET', `/v1/oauth/sessions/${two}?agent_id=${second.id}`)).status).toBe(200);
    expect((await first.ask('GET', '/v1/oauth/sessions')).json).toMatchObject([{ id: one }]);
    await rig.login(urlIn(refusals[0]?.error));
    expect(await first.echo('yes')).toMatchObject({ text: 'yes' });
    expect((await second.echo('still no')).error?.code).toBe('AUTH_REQUIRED');
    await rig.login(urlIn(refusals[1]?.error));
    expect(await second.echo('yes')).toMatchObject({ text: 'yes' });
    expect(rig.resource.tokensSeen.size).toBe(3);
    rig.authorization.expireAccessTokens();
    const calls = Array.from({ length: 10 }, (_none, index) =>
      (index % 2 === 0 ? first : second).echo(`call ${index}`),
    );
    expect((await Promise.all(calls)).map(({ text }) => text)).toEqual(calls.map((_call, index) => `call ${index}`));
    expect(rig.authorization.counts.refreshes).toBe(2);
    // Whoever is gone is logged in to nothing.
    const revoked = rig.authorization.counts.revocations;
    await admin('DELETE', `/v1/agents/${second.id}`);
    expect(rig.authorization.counts.revocations).toBe(revoked + 2);
    expect((await admin('GET', `/v1/mcp-servers/${id}`)).status).toBe(200);
  });

  it('those who operate the hub can log in for an agent, also on the command line', async () => {
    const { rig, agent } = await startRig('per-agent');
    const bot = await agent('bot');
    const env = { PLUGBOARD_HUB_URL: rig.hub.url, PLUGBOARD_API_KEY: ADMIN_KEY };
    const fake = fakeProcess(['login', SERVER_NAME, '--agent', 'bot', '--no-browser'], { env });
    const running = runCli(fake, {
      openHub: (process, url, settings) =>
        openHub({ process, url, settings, compose: (resolved) => composeHub(resolved, quiet) }),
    });
    onTestFinished(() => running.then(() => undefined));
    const line = /^https?:\/\/\S+$/mu;
    await expect.poll(() => line.test(fake.written.stderr), { timeout: 30_000 }).toBe(true);
    await rig.login(line.exec(fake.written.stderr)?.[0] ?? '');
    expect([await running, fake.written.stdout]).toEqual([0, expect.stringContaining(`Logged in to ${SERVER_NAME}`)]);
    expect(await bot.echo('for the bot')).toMatchObject({ text: 'for the bot' });
    const other = await agent('other');
    expect((await other.echo('not for it')).error?.code).toBe('AUTH_REQUIRED');
  });
});

it('where everybody needs a login of their own, operators do not share one either', async () => {
  const { rig, id, withRole } = await startRig('per-user');
  const [alice, bob] = [await withRole('alice', 'operator'), await withRole('bob', 'operator')];
  const { session } = await begin(alice.ask, { server_id: id });
  await rig.login(session.authorization_url);
  expect((await alice.ask('PATCH', `/v1/mcp-servers/${id}/refresh`)).status).toBe(200);
  expect(await alice.echo('hers')).toMatchObject({ text: 'hers' });
  expect((await bob.echo('not his')).error?.code).toBe('AUTH_REQUIRED');
  expect((await bob.ask('GET', `/v1/oauth/sessions/${session.id}`)).status).toBe(404);
  expect((await alice.ask('GET', `/v1/oauth/sessions/${session.id}`)).json).toMatchObject({ status: 'authorized' });
});
