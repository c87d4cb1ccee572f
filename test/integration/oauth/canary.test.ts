import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { beginLogin } from '../../support/browser-login.js';
import { hubCall } from '../../support/hub-call.js';
import { urlIn } from '../../support/echo-call.js';
import { oauthRig } from './rig.js';

const CONFIGURED_SECRET = 'canary-client-secret-7f3a9c';

const bytesIn = async (folder: string): Promise<string> => {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile() && entry.name !== 'master.key');
  const contents = await Promise.all(files.map((entry) => readFile(join(entry.parentPath, entry.name), 'latin1')));
  return contents.join('\n');
};

it('nothing that was said in confidence is logged, answered or readable in the store', async () => {
  const home = await mkdtemp(join(tmpdir(), 'plugboard-canary-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const said: string[] = [];
  const note = (message: string, fields?: object): void => void said.push(message, inspect(fields, { depth: 10 }));
  const rig = await oauthRig({
    settings: { home, masterKey: { from: 'file', path: join(home, 'master.key'), create: true } },
    log: { info: note, warn: note, error: note },
    authorization: {
      clients: [
        {
          client_id: 'machine',
          client_secret: CONFIGURED_SECRET,
          redirect_uris: [],
          response_types: [],
          grant_types: ['client_credentials'],
        },
      ],
    },
  });
  const ask = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const { json } = await hubCall(rig.hub.url, method, path, body);
    said.push(JSON.stringify(json) ?? '');
    return json;
  };
  const echo = async (): Promise<void> => void said.push(JSON.stringify(await rig.echo('hello')));

  const { id, sync } = await rig.register();
  said.push(JSON.stringify(sync));
  const page = await fetch(urlIn(sync.error), { headers: { accept: 'text/html' } });
  said.push(await page.text());
  const begun = await beginLogin(urlIn(sync.error));
  const callback = await rig.authorization.login(begun.url ?? '');
  said.push(await (await fetch(callback, { headers: { accept: 'text/html', cookie: begun.cookie } })).text());
  said.push(await (await fetch(callback)).text());
  await ask('POST', `/v1/mcp-servers/${id}/sync`, {});
  await echo();
  rig.authorization.expireAccessTokens();
  rig.authorization.misbehaviour.refresh = 'server-error';
  await echo();
  rig.authorization.misbehaviour.refresh = undefined;
  await echo();
  rig.authorization.endLogins();
  await echo();
  const oauth = {
    grant: 'client_credentials',
    client_id: 'machine',
    client_secret: CONFIGURED_SECRET,
    issuer: rig.authorization.issuer,
    scopes: ['mcp:basic'],
  };
  said.push(JSON.stringify(await rig.register(oauth, 'machine')));
  for (const path of [
    '/v1/mcp-servers',
    '/v1/tools/mcp/servers',
    '/v1/oauth/sessions',
    '/v1/audit',
    '/ready',
    '/openapi.json',
  ]) {
    await ask('GET', path);
  }
  said.push(await (await fetch(`${rig.hub.url}/metrics`)).text());

  const everything = `${said.join('\n')}\n${await bytesIn(home)}`;
  const secrets = [...rig.authorization.confidences, CONFIGURED_SECRET];
  expect(secrets.length).toBeGreaterThan(6);
  expect(rig.authorization.counts).toMatchObject({ exchanges: 1, clientCredentials: 1 });
  expect(rig.authorization.counts.refreshes).toBeGreaterThanOrEqual(3);
  // The search itself finds what is there.
  expect(everything).toContain(id);
  expect(secrets.filter((secret) => everything.includes(secret))).toEqual([]);
});
