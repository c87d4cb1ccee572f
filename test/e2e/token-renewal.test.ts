import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { FakeServer } from '@plugboard/testing';
import { AuthorizationServerDouble, protectResource } from '@plugboard/testing/oauth';
import { expect, it, onTestFinished } from 'vitest';
import { startPostgres } from '../../packages/registry/src/test-support/postgres.js';
import { logInWithBrowser } from '../support/browser-login.js';
import { hubCall } from '../support/hub-call.js';
import { rememberKey } from '../support/hub-keys.js';
import { ended, ownerKey, start, temporaryDirectory, until } from './cli-process.js';
import { callEcho, SERVER_NAME, urlIn, type ErrorAnswer } from '../support/echo-call.js';

const CALLS_EACH = 25;
const SKEW_MS = 300_000;
const SKEWED = pathToFileURL(fileURLToPath(new URL('../support/skewed-clock.mjs', import.meta.url))).href;

/** A hub in a process of its own. It forgets its place, so that another can start on the same home. */
const startHub = async (home: string, env: Readonly<Record<string, string>>): Promise<string> => {
  const child = start(['serve', '--port', '0'], { home, env });
  child.stdin?.end();
  child.stderr?.resume();
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended(child);
  });
  const [url] = await until(child, /http:\/\/[\d.]+:\d+/u);
  rememberKey(url, await ownerKey(home));
  await rm(join(home, 'hub.json'), { force: true });
  return url;
};

const postgresUrl = async (): Promise<string> => {
  const postgres = await startPostgres();
  onTestFinished(() => postgres[Symbol.asyncDispose]());
  await postgres.createDatabase('shared');
  return postgres.urlOf('shared');
};

it.each([
  ['two', 'SQLite', 2],
  ['three', 'Postgres', 3],
] as const)('%s hub processes on one %s store renew a token once', async (_number, engine, count) => {
  const home = await temporaryDirectory();
  const authorization = await AuthorizationServerDouble.start();
  onTestFinished(() => authorization.close());
  const resource = await protectResource({ server: new FakeServer({ tools: ['echo'] }), authorization });
  onTestFinished(() => resource.close());
  const env = engine === 'SQLite' ? {} : { PLUGBOARD_DATABASE_URL: await postgresUrl() };
  const first = await startHub(home, env);
  const hubs = [first];
  // The clock of one of several machines is wrong, by longer than a renewal may take.
  const skewed = { NODE_OPTIONS: `--import ${SKEWED}`, CLOCK_SKEW_MS: String(SKEW_MS) };
  while (hubs.length < count) hubs.push(await startHub(home, hubs.length === 2 ? { ...env, ...skewed } : env));
  const config = { mcp_server_type: 'streamable_http', server_url: resource.url };
  const { json } = await hubCall(first, 'POST', '/v1/mcp-servers', { server_name: SERVER_NAME, config });
  const { id, sync } = json as { id: string; sync: { error?: ErrorAnswer } };
  await logInWithBrowser(urlIn(sync.error), authorization);
  await hubCall(first, 'PATCH', `/v1/mcp-servers/${id}/refresh`);
  // Each has a connection and has sent the token that runs out now.
  for (const hub of hubs) {
    await expect.poll(async () => (await callEcho(hub, 'warm')).text, { timeout: 60_000 }).toBe('warm');
  }
  expect(authorization.counts.refreshes).toBe(0);
  authorization.expireAccessTokens();
  authorization.misbehaviour.slowMs = 300;
  const calls = hubs.flatMap((hub) =>
    Array.from({ length: CALLS_EACH }, (_none, index) => callEcho(hub, `call ${index}`)),
  );
  const answers = await Promise.all(calls);
  expect(answers.map(({ text, error }) => text ?? error)).toEqual(
    hubs.flatMap(() => Array.from({ length: CALLS_EACH }, (_none, index) => `call ${index}`)),
  );
  expect(authorization.counts.refreshes).toBe(1);
});
