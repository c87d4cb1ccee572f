import { fakeServer, FakeServer, fakeServerCommand } from '@plugboard/testing';
import { AuthorizationServerDouble, protectResource, type ProtectedResource } from '@plugboard/testing/oauth';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hubCall } from '../../support/hub-call.js';
import { startRealHub, type RealHub } from '../../support/real-hub.js';
import { flawsOf, launchBrowser, signIn, watchedPage } from './console-browser.js';

const HTML = `<img src=x onerror="window.ran='html'">`;

let hub: RealHub;
let browser: Browser;
let page: Page;
let complaints: string[];
let authorization: AuthorizationServerDouble;
let resource: ProtectedResource;
let remote: FakeServer;
let remoteUrl: string;

beforeAll(async () => {
  hub = await startRealHub();
  browser = await launchBrowser();
  authorization = await AuthorizationServerDouble.start();
  resource = await protectResource({ server: new FakeServer({ tools: ['echo'] }), authorization });
  remote = fakeServer({ tools: ['echo', 'add'] });
  ({ url: remoteUrl } = await remote.listenHttp());
  ({ page, complaints } = await watchedPage(browser, { viewport: { width: 1280, height: 800 } }));
  await signIn(page, hub);
});
afterAll(async () => {
  await browser?.close();
  await hub?.close();
  await resource?.close();
  await authorization?.close();
  await remote?.[Symbol.asyncDispose]();
});

it('connects to a server with OAuth step by step, through the page of its authorization server', async () => {
  await hubCall(hub.url, 'POST', '/v1/mcp-servers', {
    server_name: 'protected',
    config: { mcp_server_type: 'streamable_http', server_url: resource.url },
  });
  await page.goto(`${hub.url}/#/servers`);
  const row = page.getByRole('link', { name: /protected/u });
  await row.getByText('Sign-in required').waitFor();
  await row.click();
  await page.getByRole('button', { name: 'Connect' }).click();
  const dialog = page.getByRole('dialog', { name: 'Connect' });
  await dialog.getByText('Connecting to protected').waitFor();
  await dialog.getByText('The server requires a sign-in.').waitFor();
  await dialog.getByText('Waiting until you have signed in there').waitFor();
  expect(await flawsOf(page)).toEqual([]);
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    dialog.getByRole('link', { name: 'Open the sign-in page' }).click(),
  ]);
  // The hub says first who will act on whose behalf.
  await popup.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByText('Connected. The server offers 1 tool.').waitFor();
  // The page of somebody else must not reach the console through the window that opened it.
  expect(await popup.evaluate('window.opener')).toBeNull();
  expect(new URL(popup.url()).origin).toBe(hub.url);
  expect([authorization.counts.logins, authorization.counts.exchanges]).toEqual([1, 1]);
  await popup.close();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByText('Healthy').waitFor();
  expect(complaints).toEqual([]);
});

it('adds a server from a catalogue file, and shows hostile entries as text', async () => {
  const { command, args } = fakeServerCommand({ tools: ['echo'] });
  const catalogue = {
    servers: [
      {
        server: {
          name: 'io.example/remote-one',
          description: `Adds numbers. ${HTML}`,
          remotes: [
            {
              type: 'streamable-http',
              url: remoteUrl,
              headers: [{ name: 'X-Key', isRequired: true, isSecret: true, description: HTML }],
            },
          ],
        },
      },
      { server: { name: `trap/${HTML}`, remotes: [{ type: 'sse', url: 'javascript:alert(1)' }] } },
      {
        server: {
          name: 'io.example/program',
          packages: [{ registryType: 'npm', identifier: `${command} ${args[0]}` }],
        },
      },
    ],
  };
  await page.goto(`${hub.url}/#/servers/new`);
  await page.getByRole('tab', { name: 'Choose from a catalogue file' }).click();
  await page
    .getByLabel('Catalogue file', { exact: true })
    .setInputFiles({ name: 'x.json', mimeType: 'application/json', buffer: Buffer.from('nothing of that') });
  await page.getByText('This is not JSON').waitFor();
  await page.getByLabel('Catalogue file', { exact: true }).setInputFiles({
    name: 'catalogue.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(catalogue)),
  });
  const list = page.getByRole('list', { name: 'Servers of the catalogue' });
  await list.getByText('<img src=x').waitFor();
  await expect.poll(() => list.getByRole('listitem').count()).toBe(2);
  await page.getByRole('button', { name: 'Add remote-one' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add remote-one' });
  expect(await dialog.getByRole('button', { name: 'Add server' }).isDisabled()).toBe(true);
  await dialog.getByLabel('X-Key (required)').fill('a secret');
  expect(await flawsOf(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Add server' }).click();
  await list.getByText('Added').waitFor();
  const { json } = await hubCall(hub.url, 'GET', '/v1/mcp-servers');
  expect(json).toContainEqual(expect.objectContaining({ server_name: 'remote-one', tool_count: 2 }));
  expect(await page.evaluate('window.ran')).toBeUndefined();
  expect(complaints).toEqual([]);
});

it('is accessible where servers are added and toolsets are built, in the dark and on a phone', async () => {
  const { json } = await hubCall(hub.url, 'POST', '/v1/toolsets', { name: 'chosen' });
  const flaws: string[] = [];
  for (const [colorScheme, width] of [
    ['light', 1280],
    ['dark', 1280],
    ['light', 360],
    ['dark', 360],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${hub.url}/#/servers/new`);
    for (const tab of ['Fill in a form', 'Paste a configuration', 'Choose from a catalogue file']) {
      await page.getByRole('tab', { name: tab }).click();
      flaws.push(...(await flawsOf(page)).map((flaw) => `${tab} ${colorScheme} ${width}: ${flaw}`));
    }
    await page.goto(`${hub.url}/#/toolsets/${(json as { readonly id: string }).id}`);
    await page.getByRole('heading', { level: 1, name: 'chosen' }).waitFor();
    if (colorScheme === 'light' && width === 1280) await page.getByRole('button', { name: 'Add add' }).click();
    await page.getByLabel('Name of add for models').waitFor();
    flaws.push(...(await flawsOf(page)).map((flaw) => `toolset ${colorScheme} ${width}: ${flaw}`));
  }
  expect(flaws).toEqual([]);
});

it('compares two runs of the referee, and shows only what differs', async () => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1280, height: 800 });
  for (const suite of ['tools', 'lifecycle']) {
    await page.goto(`${hub.url}/#/checks`);
    await page.getByLabel('Server', { exact: true }).selectOption('remote-one');
    await page.getByLabel('Suite').selectOption(suite);
    await page.getByRole('button', { name: 'Start check' }).click();
    await page.getByRole('heading', { level: 1, name: 'Check of remote-one' }).waitFor();
    await page.getByText(/^\d+ shown$/u).waitFor({ timeout: 60_000 });
  }
  await page.getByLabel('Level').selectOption('MUST');
  await page.getByLabel('Suite').selectOption('lifecycle');
  await page.goto(`${hub.url}/#/checks`);
  const runs = page.getByRole('list', { name: 'Runs' });
  await expect.poll(() => runs.getByRole('checkbox', { disabled: false }).count()).toBe(2);
  for (const box of await runs.getByRole('checkbox').all()) await box.check();
  expect(await flawsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Compare two runs' }).click();
  await page.getByRole('heading', { level: 1, name: 'Comparison of two runs' }).waitFor();
  const differences = page.getByRole('list', { name: 'Differences' });
  await differences.getByText('Only in the second').first().waitFor();
  await differences.getByText('Only in the first').first().waitFor();
  await page.getByLabel('Change').selectOption('worse');
  await page.getByText('0 checks shown').waitFor();
  expect(await flawsOf(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

it('checks the suites that were chosen, and no others', async () => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${hub.url}/#/checks`);
  await page.getByLabel('Server', { exact: true }).selectOption('remote-one');
  for (const suite of ['tools', 'security', 'lifecycle']) await page.getByLabel('Suite').selectOption(suite);
  await page.getByRole('button', { name: 'Remove security' }).click();
  expect(await flawsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Start check' }).click();
  await page.getByText(/^\d+ shown$/u).waitFor({ timeout: 60_000 });
  expect(await page.getByLabel('Suite').getByRole('option').allTextContents()).toEqual([
    'All suites',
    'lifecycle',
    'tools',
  ]);
  const run = page.url();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete check' }).click();
  await page.getByRole('heading', { level: 1, name: 'Checks' }).waitFor();
  const { status } = await hubCall(hub.url, 'GET', `/v1/checks/${run.split('/').at(-1) ?? ''}`);
  expect(status).toBe(404);
  expect(complaints).toEqual([]);
});
