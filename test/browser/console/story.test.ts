import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { fakeServer, fakeServerCommand, type FakeServer } from '@plugboard/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hubCall } from '../../support/hub-call.js';
import { startRealHub, type RealHub } from '../../support/real-hub.js';
import { flawsOf, launchBrowser, signIn, watchedPage } from './console-browser.js';

let hub: RealHub;
let browser: Browser;
let page: Page;
let complaints: string[];
let remote: FakeServer;
let remoteUrl: string;
let broken: Server;

beforeAll(async () => {
  hub = await startRealHub();
  browser = await launchBrowser();
  const { command, args } = fakeServerCommand({ tools: ['echo', 'add'] });
  await hubCall(hub.url, 'POST', '/v1/mcp-servers', {
    server_name: 'bundled',
    config: { mcp_server_type: 'stdio', command, args },
  });
  remote = fakeServer({ eras: 'modern', tools: ['echo'] });
  ({ url: remoteUrl } = await remote.listenHttp());
  broken = createServer((_request, response) => response.writeHead(500).end('no')).listen(0, '127.0.0.1');
  await once(broken, 'listening');
  ({ page, complaints } = await watchedPage(browser, { viewport: { width: 1280, height: 800 } }));
});
afterAll(async () => {
  await browser?.close();
  await hub?.close();
  await remote?.[Symbol.asyncDispose]();
  broken?.close();
});

const open = async (name: string): Promise<void> => {
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
};

it('greets with three shortcuts and an endpoint to paste', async () => {
  await signIn(page, hub);
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  for (const title of ['Add a server', 'Import a configuration', 'Try a tool']) {
    expect(await page.getByRole('link', { name: title }).count()).toBe(1);
  }
  expect(await page.getByText(`${hub.url}/mcp`, { exact: true }).count()).toBe(1);
});

it('tries a tool with a form, and remembers the call', async () => {
  await open('Tools');
  await page.getByLabel('Search tools').fill('add');
  await page.getByRole('link', { name: /^add/u }).click();
  await page.getByLabel('a*').fill('2');
  await page.getByLabel('b*').fill('3');
  await page.getByRole('button', { name: 'Run' }).click();
  const result = page.getByRole('region', { name: 'Result' });
  await result.getByText('Answered in').waitFor();
  expect(await result.textContent()).toContain('5');
  expect(await page.getByRole('button', { name: /"a":2,"b":3/u }).count()).toBe(1);
  expect(await flawsOf(page)).toEqual([]);
});

it('adds a server by paste, says what is wrong with it, and sees it mended', async () => {
  const brokenUrl = `http://127.0.0.1:${(broken.address() as AddressInfo).port}/mcp`;
  await open('Servers');
  await page.getByRole('button', { name: 'Add server' }).click();
  await page.getByRole('tab', { name: 'Paste a configuration' }).click();
  const pasted = { mcpServers: { weather: { url: brokenUrl }, bundled: { url: brokenUrl }, wrong: {} } };
  await page.getByRole('textbox', { name: 'Configuration' }).fill(JSON.stringify(pasted));
  const preview = page.getByRole('list', { name: 'Preview' });
  expect(await preview.textContent()).toMatch(/Will be added.*Name is taken.*Cannot be added/u);
  await page.getByRole('button', { name: 'Add 1 server' }).click();
  await page.getByRole('heading', { level: 1, name: 'Servers' }).waitFor();
  const row = page.getByRole('link', { name: /weather/u });
  await row.getByText('Failing').waitFor();
  await row.click();
  await page.getByRole('alert').first().waitFor();
  expect(await flawsOf(page)).toEqual([]);
  await page.getByRole('tab', { name: 'Edit' }).click();
  await page.getByLabel('URL', { exact: true }).fill(remoteUrl);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Restart' }).click();
  await page.getByText('Healthy').waitFor();
  await page.getByRole('tab', { name: 'Log' }).click();
  await page.getByRole('tab', { name: 'Tools 1' }).click();
  await page.getByRole('link', { name: /^echo/u }).waitFor();
});

it('runs a check and opens its report', async () => {
  await open('Checks');
  await page.getByLabel('Server').selectOption('weather');
  await page.getByRole('button', { name: 'Start check' }).click();
  await page.getByRole('heading', { level: 1, name: 'Check of weather' }).waitFor();
  await page.getByText('shown').waitFor({ timeout: 60_000 });
  await page.getByLabel('Verdict').selectOption('pass');
  await page.locator('.finding').first().click();
  expect(await flawsOf(page)).toEqual([]);
});

it('builds a toolset that an MCP client calls', async () => {
  await open('Toolsets');
  await page.getByRole('button', { name: 'New toolset' }).click();
  await page.getByLabel('Name').fill('sums');
  await page.getByRole('button', { name: 'Create toolset' }).click();
  await page.getByRole('heading', { level: 1, name: 'sums' }).waitFor();
  await page.getByLabel('Search tools to add').fill('add');
  await page.getByRole('button', { name: 'Add add' }).click();
  const name = page.getByLabel('Name of add for models');
  await name.fill('sum');
  await name.blur();
  await expect
    .poll(async () => {
      const client = new Client({ name: 'story', version: '1' });
      await client.connect(new StreamableHTTPClientTransport(new URL(`${hub.url}/toolsets/sums/mcp`)));
      const { tools } = await client.listTools();
      await client.close();
      return tools.map((tool) => tool.name);
    })
    .toEqual(['sum']);
  const client = new Client({ name: 'story', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${hub.url}/toolsets/sums/mcp`)));
  expect(JSON.stringify(await client.callTool({ name: 'sum', arguments: { a: 20, b: 22 } }))).toContain('42');
  await client.close();
  await open('Traffic');
  await page.getByText('bundled/add').first().waitFor();
});

it('creates a key that is shown once, and lets somebody in with it', async () => {
  await open('Keys');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByLabel('Name').fill('colleague');
  await page.getByLabel('Role').selectOption('viewer');
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
  const key = await page.getByRole('dialog').locator('pre').first().textContent();
  expect(key).toMatch(/^pb_/u);
  await page.getByRole('button', { name: 'Close' }).click();
  expect(await page.content()).not.toContain(key);
  const other = await watchedPage(browser);
  await signIn(other.page, { url: hub.url, key: String(key) });
  await other.page.getByText('viewer').waitFor();
  await other.page.close();
  await page.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke key' }).click();
  await page.getByText('Revoked', { exact: true }).waitFor();
});

it('deletes a server after asking, and follows changes of others by itself', async () => {
  await open('Servers');
  await page.getByRole('link', { name: /weather/u }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('alertdialog');
  expect(await dialog.textContent()).toContain('1 tool');
  await dialog.getByRole('button', { name: 'Delete server' }).click();
  await page.getByRole('heading', { level: 1, name: 'Servers' }).waitFor();
  await page.getByRole('link', { name: /weather/u }).waitFor({ state: 'detached' });
  await hubCall(hub.url, 'POST', '/v1/mcp-servers', {
    server_name: 'from-elsewhere',
    config: { mcp_server_type: 'streamable_http', server_url: remoteUrl },
  });
  await page.getByRole('link', { name: /from-elsewhere/u }).waitFor();
  expect(complaints).toEqual([]);
});
