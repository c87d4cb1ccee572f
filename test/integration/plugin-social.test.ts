import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createPluginHost, type PluginHost, type PluginRequest } from '@plugboard/client';
import { fakeServerCommand, socialNetworkServer } from '@plugboard/testing';
import { describe, expect, it, onTestFinished } from 'vitest';

const run = promisify(execFile);
const folder = new URL('../../examples/plugin-social/', import.meta.url);
const secret = 'valid-cookie';
const path = process.env['PATH'] ?? '';
const never = new AbortController().signal;

const request = (action: string, parameters: Record<string, unknown>): PluginRequest => ({
  request_id: 'r-1',
  timestamp: '2026-11-16T00:00:00.000Z',
  action,
  parameters,
});

const openHost = (env: Record<string, string>): PluginHost => {
  const { command, args } = fakeServerCommand({ fixture: 'social-network' });
  const host = createPluginHost({
    directory: fileURLToPath(new URL('plugins', folder)),
    configOf: () => ({ settings: { command, args }, env: { PATH: path, ...env } }),
  });
  onTestFinished(() => host[Symbol.asyncDispose]());
  return host;
};

const commandLines = async (): Promise<string[]> => {
  const { stdout } = await run('ps', ['-axww', '-o', 'command=']);
  return stdout.split('\n');
};

describe('the social network plug-in', () => {
  it('carries out its actions with the cookie from the environment, which no command line shows', async () => {
    const host = openHost({ SOCIAL_COOKIE: secret });
    expect(await host.execute('social', request('profile', { username: 'Ada' }), never)).toMatchObject({
      status: 'success',
      data: { name: 'Ada Example' },
      metadata: { external_server: 'social', external_tool: 'get_person_profile', action_performed: 'person' },
    });
    expect(await host.execute('social', request('company', { name: 'Example' }), never)).toMatchObject({
      status: 'success',
      data: { name: 'Example', employees: 42 },
    });
    const servers = (await commandLines()).filter((line) => line.includes('social-network'));
    expect(servers.length).toBeGreaterThan(0);
    expect(servers.filter((line) => line.includes(secret))).toEqual([]);
  });

  it('takes an empty profile for a login that has expired', async () => {
    const host = openHost({ SOCIAL_COOKIE: 'expired-cookie' });
    const response = await host.execute('social', request('person', { username: 'Ada' }), never);
    expect(response).toMatchObject({ status: 'error', error: { code: 'UPSTREAM_AUTH' } });
    expect(JSON.stringify(response)).not.toContain('expired-cookie');
    const company = await host.execute('social', request('company', { name: 'Example' }), never);
    expect(company).toMatchObject({ status: 'error', error: { message: expect.stringContaining('cookie') as string } });
  });

  it('says what is missing', async () => {
    const host = openHost({});
    const ada = request('person', { username: 'Ada' });
    expect(await host.execute('social', ada, never)).toMatchObject({
      status: 'error',
      error: { code: 'CONFIG_INVALID', hint: expect.stringContaining('SOCIAL_COOKIE') as string },
    });
    const other = openHost({ SOCIAL_COOKIE: secret });
    for (const [action, parameters] of [
      ['person', {}],
      ['close_session', {}],
    ] as const) {
      const response = await other.execute('social', request(action, parameters), never);
      expect(response).toMatchObject({ status: 'error', error: { code: 'INVALID_ARGUMENT' } });
    }
  });

  it('uses a server that runs elsewhere', async () => {
    const fake = socialNetworkServer();
    const listener = await fake.listenHttp();
    onTestFinished(() => fake.close());
    const host = openHost({ SOCIAL_COOKIE: secret, SOCIAL_SERVER_URL: listener.url });
    expect(await host.execute('social', request('person', { username: 'Ada' }), never)).toMatchObject({
      status: 'success',
    });
  });

  it('runs as its page says', async () => {
    const program = fileURLToPath(new URL('run.mjs', folder));
    const { stdout } = await run(process.execPath, [program, 'person', 'username=Ada'], {
      env: { PATH: path, SOCIAL_COOKIE: secret },
    });
    expect(JSON.parse(stdout)).toMatchObject({ status: 'success', data: { name: 'Ada Example' } });
  });
});
