import { fakeServer, httpDouble, type DoubleRequest, type HttpDouble } from '@plugboard/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runChecks } from '../run/run-checks.js';
import { CHECKS } from '../checks/registry.js';
import { checkTarget, type CheckTargetInput } from '../target/target.js';
import { authenticated } from './authenticated.js';

const signal = new AbortController().signal;
const SECRET = 'secret-of-the-client';
const oauth = { type: 'oauth', client_id: 'referee', client_secret: SECRET } as const;

const headersOf = async (target: CheckTargetInput) =>
  (await authenticated(checkTarget.parse(target), { ms: 5_000, signal })).headers;

const json = (body: unknown, status = 200) => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const origin = (double: HttpDouble): string => new URL(double.url).origin;

/** A protected server and its authorization server in one; `metadata` is where the server says that its metadata is. */
const authority = async (metadata: string | undefined) => {
  const double = await httpDouble();
  onTestFinished(() => double.close());
  const challenge =
    metadata === undefined ? {} : { 'www-authenticate': `Bearer resource_metadata="${origin(double)}${metadata}"` };
  const answers: Readonly<Record<string, unknown>> = {
    [metadata ?? '/.well-known/oauth-protected-resource/mcp']: { authorization_servers: [`${origin(double)}/tenant`] },
    '/.well-known/oauth-authorization-server/tenant': { token_endpoint: `${origin(double)}/token` },
  };
  double.always((request: DoubleRequest) => {
    if (request.path === '/mcp') return { status: 401, headers: challenge, body: '' };
    if (request.path === '/token') return json({ access_token: 'token-from-the-authority', token_type: 'Bearer' });
    return answers[request.path] === undefined ? { status: 404, body: '' } : json(answers[request.path]);
  });
  return double;
};

describe('client credentials', () => {
  test.each([['/elsewhere/metadata'], [undefined]])(
    'are used at the endpoint that the metadata names: %s',
    async (at) => {
      const double = await authority(at);
      const url = `${origin(double)}/mcp`;
      expect(await headersOf({ url, auth: { ...oauth, scope: 'mcp:read' } })).toEqual({
        Authorization: 'Bearer token-from-the-authority',
      });
      const asked = double.requests.at(-1);
      expect(asked?.headers['authorization']).toBe(`Basic ${Buffer.from(`referee:${SECRET}`).toString('base64')}`);
      expect(Object.fromEntries(new URLSearchParams(asked?.body))).toEqual({
        grant_type: 'client_credentials',
        resource: url,
        scope: 'mcp:read',
      });
    },
  );

  test('go to the endpoint that the target names, in the body when it says so', async () => {
    const double = await authority(undefined);
    const auth = { ...oauth, token_url: `${origin(double)}/token`, client_authentication: 'post' } as const;
    await headersOf({ url: `${origin(double)}/mcp`, auth });
    expect(double.requests).toHaveLength(1);
    expect(double.requests[0]?.headers['authorization']).toBeUndefined();
    expect(double.requests[0]?.body).toContain(`client_secret=${SECRET}`);
  });

  test('that are refused end the run, with the code and without the secret', async () => {
    const double = await httpDouble();
    onTestFinished(() => double.close());
    double.always(json({ error: 'invalid_client', error_description: SECRET }, 401));
    const auth = { ...oauth, token_url: `${origin(double)}/token` };
    const report = await runChecks(checkTarget.parse({ url: `${origin(double)}/mcp`, auth }), {
      checks: [],
      version: '0',
    });
    expect(report.outcome).toBe('not-examined');
    expect(report.reason).toContain('HTTP 401 and "invalid_client"');
    expect(JSON.stringify(report)).not.toContain(SECRET);
  });

  test('of a server that names no authorization server need an endpoint', async () => {
    const double = await httpDouble();
    onTestFinished(() => double.close());
    double.always({ status: 404, body: '' });
    await expect(headersOf({ url: `${origin(double)}/mcp`, auth: oauth })).rejects.toMatchObject({
      code: 'UPSTREAM_AUTH',
    });
  });
});

describe('a program that prints a token', () => {
  const print = (script: string) =>
    headersOf({ url: 'http://127.0.0.1:9/', auth: { type: 'command', command: [process.execPath, '-e', script] } });

  test('is started, and its line is the token', async () => {
    expect(await print('console.log("printed-token")')).toEqual({ Authorization: 'Bearer printed-token' });
  });

  test.each([
    ['fails', 'console.error("no"); process.exit(3)', 'ended with 3'],
    ['prints nothing', '', 'printed no token'],
    ['prints a sentence', 'console.log("please log in")', 'printed no token'],
  ])('that %s is no token', async (_what, script, why) => {
    await expect(print(script)).rejects.toThrow(why);
  });

  test('that does not exist is said', async () => {
    const auth = { type: 'command' as const, command: ['surely-no-such-program'] };
    await expect(headersOf({ url: 'http://127.0.0.1:9/', auth })).rejects.toThrow('cannot be started');
  });
});

test('a given token is sent with every request and stands in no report', async () => {
  const server = fakeServer({ tools: ['echo'] });
  onTestFinished(() => server.close());
  server.script.on('ping').always().respondResult({ pong: true });
  const { url } = await server.listenHttp();
  const token = 'token-that-was-given';
  const checks = CHECKS.filter(({ id }) => id === 'LIF-01' || id === 'LIF-27');
  const report = await runChecks(checkTarget.parse({ url, auth: { type: 'token', token } }), { checks, version: '0' });
  expect(report.results.map(({ verdict }) => verdict)).toEqual(['pass', 'fail']);
  expect(new Set(server.log.entries.map(({ headers }) => headers['authorization']))).toEqual(
    new Set([`Bearer ${token}`]),
  );
  expect(JSON.stringify(report)).not.toContain(token);
  expect(JSON.stringify(report)).toContain('[secret]');
});

test('a program is not shown a token', async () => {
  await expect(headersOf({ command: ['x'], auth: { type: 'token', token: 'abcdef' } })).rejects.toThrow(
    'auth is only for servers with a URL',
  );
});
