import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { fakeServer } from '@plugboard/testing';
import { faultProxy, type FaultProxy } from '@plugboard/testing/fault-proxy';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { root } from '../../architecture/source.js';
import { ownerKey, start, temporaryDirectory, until } from '../../e2e/cli-process.js';
import { flawsOf, launchBrowser, signIn, type SignInTarget, watchedPage } from './console-browser.js';

const CHECK_MS = 60_000;

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => browser?.close());

/** The hub as `npm start` starts it, on a home that is empty: with the servers that come with it. */
const firstStart = async (): Promise<SignInTarget> => {
  const home = await temporaryDirectory();
  const hub = start(['serve', '--demo', '--port', '0'], { home, cwd: root, env: { PLUGBOARD_LOG_LEVEL: 'warn' } });
  const running = until(hub, /running at (?<url>http:\/\/[\d.]+:\d+)/u);
  const ready = until(hub, /Try, in another terminal/u);
  const url = (await running).groups?.['url'] ?? '';
  await ready;
  return { url, key: await ownerKey(home) };
};

/** A server that can be broken and mended without another port. */
const breakableServer = async (): Promise<FaultProxy> => {
  const server = fakeServer({ eras: 'modern', tools: ['echo', 'add'] });
  const proxy = await faultProxy((await server.listenHttp()).url);
  onTestFinished(async () => {
    await proxy.close();
    await server.close();
  });
  return proxy;
};

const open = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
};

const step = async (page: Page, heading: string): Promise<void> => {
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  expect(await flawsOf(page)).toEqual([]);
};

const withClient = async <Answer>(url: string, act: (client: Client) => Promise<Answer>): Promise<Answer> => {
  const client = new Client({ name: 'story', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  try {
    return await act(client);
  } finally {
    await client.close();
  }
};

it('leads from the first start to a key for a colleague', async () => {
  const hub = await firstStart();
  const weather = await breakableServer();
  const { page, complaints } = await watchedPage(browser, { viewport: { width: 1280, height: 800 } });

  // The first start: three ways to begin, and the endpoint to paste into a client.
  await signIn(page, hub);
  await step(page, 'Home');
  for (const title of ['Add a server', 'Import a configuration', 'Try a tool']) {
    await expect.poll(() => page.getByRole('link', { name: title }).count()).toBe(1);
  }
  await expect.poll(() => page.getByText(`${hub.url}/mcp`, { exact: true }).count()).toBe(1);

  // The bundled servers are there, and work.
  await open(page, 'Servers');
  for (const name of ['collections', 'documents', 'everything', 'sandbox']) {
    await page.getByRole('link', { name: new RegExp(`^${name} ?Healthy`, 'u') }).waitFor();
  }
  expect(await flawsOf(page)).toEqual([]);

  // A tool is tried with a form, and the call is remembered.
  await open(page, 'Tools');
  await page.getByLabel('Search tools').fill('get-sum');
  await page.getByRole('link', { name: /^get-sum/u }).click();
  await page.getByLabel('a*').fill('2');
  await page.getByLabel('b*').fill('3');
  await page.getByRole('button', { name: 'Run' }).click();
  const result = page.getByRole('region', { name: 'Result' });
  await result.getByText('The sum of 2 and 3 is 5.').waitFor();
  await page.getByRole('button', { name: /"a":2,"b":3/u }).waitFor();
  expect(await flawsOf(page)).toEqual([]);

  // A server is added by paste, each entry shown before.
  await open(page, 'Servers');
  await page.getByRole('button', { name: 'Add server' }).click();
  await page.getByRole('tab', { name: 'Paste a configuration' }).click();
  const pasted = { mcpServers: { weather: { url: weather.url }, sandbox: { url: weather.url }, wrong: {} } };
  await page.getByRole('textbox', { name: 'Configuration' }).fill(JSON.stringify(pasted));
  const preview = page.getByRole('list', { name: 'Preview' });
  expect(await preview.textContent()).toMatch(/Will be added.*Name is taken.*Cannot be added/u);
  expect(await flawsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Add 1 server' }).click();
  await page.getByRole('heading', { level: 1, name: 'Servers' }).waitFor();
  await page.getByRole('link', { name: /^weather ?Healthy/u }).click();
  await page.getByRole('tab', { name: 'Tools 2' }).waitFor();

  // It breaks: its state and what to do about it.
  weather.board.arm([{ kind: 'status', status: 500 }]);
  await page.getByRole('button', { name: 'Restart' }).click();
  await page.getByText('Failing', { exact: true }).waitFor();
  const problem = page.getByRole('alert').first();
  expect(await problem.textContent()).toMatch(/500.*\S{3,}/u);
  await step(page, 'weather');
  await open(page, 'Home');
  await page.getByText('1 needs your attention:').waitFor();
  await page.getByRole('link', { name: 'weather' }).click();

  // It is mended.
  weather.board.clear();
  await page.getByRole('button', { name: 'Restart' }).click();
  await page.getByText('Healthy', { exact: true }).waitFor();
  await problem.waitFor({ state: 'detached' });
  await page.getByRole('tab', { name: 'Log' }).click();
  await page.getByRole('log').getByText('restart').first().waitFor();

  // A check of it, and its report.
  await open(page, 'Checks');
  await page.getByLabel('Server', { exact: true }).selectOption('weather');
  await page.getByRole('button', { name: 'Start check' }).click();
  await page.getByRole('heading', { level: 1, name: 'Check of weather' }).waitFor();
  await page.getByText(/^\d+ shown$/u).waitFor({ timeout: CHECK_MS });
  await page.getByLabel('Verdict').selectOption('pass');
  await page.locator('.finding').first().click();
  await step(page, 'Check of weather');
  const [report] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('link', { name: 'Open report' }).click(),
  ]);
  await report.getByText(/^weather · /u).waitFor();
  await report.close();

  // A toolset of two servers, which a client of somebody else calls.
  await open(page, 'Toolsets');
  await page.getByRole('button', { name: 'New toolset' }).click();
  await page.getByLabel('Name').fill('sums');
  await page.getByRole('button', { name: 'Create toolset' }).click();
  await page.getByRole('heading', { level: 1, name: 'sums' }).waitFor();
  for (const tool of ['get-sum', 'add']) {
    await page.getByLabel('Search tools to add').fill(tool);
    await page.getByRole('button', { name: `Add ${tool}`, exact: true }).click();
    await page.getByLabel(`Name of ${tool} for models`).waitFor();
  }
  await page.getByLabel('Name of add for models').fill('sum');
  await page.getByLabel('Name of add for models').blur();
  await step(page, 'sums');
  const endpoint = `${hub.url}/toolsets/sums/mcp`;
  await expect
    .poll(() => withClient(endpoint, async (client) => (await client.listTools()).tools.map(({ name }) => name)))
    .toEqual(['everything__get-sum', 'sum']);
  const answer = await withClient(endpoint, (client) => client.callTool({ name: 'sum', arguments: { a: 20, b: 22 } }));
  expect(JSON.stringify(answer)).toContain('42');
  await open(page, 'Traffic');
  await page.getByText('weather/add').first().waitFor();

  // A key, shown once, with which somebody else signs in until it is revoked.
  await open(page, 'Keys');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByLabel('Name').fill('colleague');
  await page.getByLabel('Role').selectOption('viewer');
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
  const key = await page.getByRole('dialog').locator('pre').first().textContent();
  expect(key).toMatch(/^pb_/u);
  expect(await flawsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Close' }).click();
  expect(await page.content()).not.toContain(key);
  const other = await watchedPage(browser);
  await signIn(other.page, { url: hub.url, key: String(key) });
  await other.page.getByText('viewer', { exact: true }).waitFor();
  await expect.poll(() => other.page.getByRole('link', { name: 'Keys' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Revoke colleague' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke key' }).click();
  await page.getByText('Revoked', { exact: true }).waitFor();
  await other.page.reload();
  await other.page.getByLabel('Key').waitFor();
  await other.page.close();

  // Deleting asks first and names what goes along; a change of somebody else shows by itself.
  await open(page, 'Servers');
  await page.getByRole('link', { name: /^weather/u }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('alertdialog');
  expect(await dialog.textContent()).toContain('2 tools');
  await dialog.getByRole('button', { name: 'Delete server' }).click();
  await page.getByRole('heading', { level: 1, name: 'Servers' }).waitFor();
  await page.getByRole('link', { name: /^weather/u }).waitFor({ state: 'detached' });
  await fetch(`${hub.url}/v1/mcp-servers`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${hub.key}` },
    body: JSON.stringify({
      server_name: 'from-elsewhere',
      config: { mcp_server_type: 'streamable_http', server_url: weather.url },
    }),
  });
  await page.getByRole('link', { name: /^from-elsewhere/u }).waitFor();
  expect(complaints).toEqual([]);
});
