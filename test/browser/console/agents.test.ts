import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { fakeServerCommand } from '@plugboard/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hubCall } from '../../support/hub-call.js';
import { startRealHub, type RealHub } from '../../support/real-hub.js';
import { flawsOf, launchBrowser, signIn, watchedPage } from './console-browser.js';

const SECRET = 'a-secret-that-must-not-be-shown';
const HTML = `<img src=x onerror="window.ran='html'">\u202Etxt`;

let hub: RealHub;
let browser: Browser;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  hub = await startRealHub();
  browser = await launchBrowser();
  const { command, args } = fakeServerCommand({ tools: ['echo', 'add'] });
  await hubCall(hub.url, 'POST', '/v1/mcp-servers', {
    server_name: 'everyday',
    config: { mcp_server_type: 'stdio', command, args },
  });
  await hubCall(hub.url, 'POST', '/v1/toolsets', { name: 'daily' });
  ({ page, complaints } = await watchedPage(browser, { viewport: { width: 1280, height: 800 } }));
  await signIn(page, hub);
});
afterAll(async () => {
  await browser?.close();
  await hub?.close();
});

/** The tools that somebody with this key gets. */
const toolsWith = async (key: string): Promise<readonly string[]> => {
  const client = new Client({ name: 'agents', version: '1' });
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${hub.url}/mcp`), { requestInit }));
  const { tools } = await client.listTools();
  await client.close();
  return tools.map(({ name }) => name);
};

const openTab = (name: string): Promise<void> => page.getByRole('tab', { name, exact: true }).click();

let key = '';

it('creates an agent, grants it a server but one tool, and a client with its key gets the rest', async () => {
  await page.goto(`${hub.url}/#/agents`);
  await page.getByRole('heading', { name: 'No agents yet' }).waitFor();
  await page.getByRole('button', { name: 'New agent' }).click();
  await page.getByLabel('Name').fill('researcher');
  await page.getByLabel('Description').fill('Reads and sums up.');
  await page.getByRole('button', { name: 'Create agent' }).click();
  await page.getByRole('heading', { level: 1, name: 'researcher' }).waitFor();
  await page.getByRole('checkbox', { name: /everyday/u }).click();
  await page.getByText('1 server granted').waitFor();
  await openTab('Toolsets');
  await page.getByRole('checkbox', { name: /daily/u }).click();
  await page.getByText('1 toolset granted').waitFor();
  await openTab('Tools');
  await page.getByText('May call 2 tools').waitFor();
  await page.getByLabel('Decision about add of everyday').selectOption('deny');
  await page.getByText('May call 1 tool', { exact: true }).waitFor();
  await openTab('Keys and endpoint');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByLabel('Name').fill('laptop');
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
  key = (await page.getByRole('dialog').locator('pre').first().textContent()) ?? '';
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByText('laptop').waitFor();
  expect(await toolsWith(key)).toEqual(['everyday__echo']);
});

it('keeps a variable secret: it is never in the page, and other values stay when one is set', async () => {
  await openTab('Variables');
  await page.getByRole('button', { name: 'Set variable' }).click();
  await page.getByText('Use capital letters').waitFor();
  for (const name of ['API_KEY', 'SECOND']) {
    await page.getByLabel('Name of the variable').fill(name);
    await page.getByLabel('Value').fill(`${SECRET}-${name}`);
    await page.getByRole('button', { name: 'Set variable' }).click();
    await page.getByRole('list', { name: 'Variables' }).getByText(name, { exact: true }).waitFor();
  }
  expect(await page.content()).not.toContain(SECRET);
  await page.getByRole('button', { name: 'Remove SECOND' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove variable' }).click();
  await page.getByText('SECOND', { exact: true }).waitFor({ state: 'detached' });
  const { json } = await hubCall(hub.url, 'GET', '/v1/agents');
  expect((json as readonly { variables: object }[]).map(({ variables }) => Object.keys(variables))).toEqual([
    ['API_KEY'],
  ]);
});

it('is accessible in every tab, in the dark and on a phone', async () => {
  const address = page.url().replace(/\/[a-z]+$/u, '');
  const flaws: string[] = [];
  for (const [colorScheme, width] of [
    ['light', 1280],
    ['dark', 360],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    for (const tab of ['servers', 'toolsets', 'tools', 'variables', 'model', 'keys']) {
      await page.goto(`${address}/${tab}`);
      await page.getByRole('heading', { level: 1, name: 'researcher' }).waitFor();
      await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
      flaws.push(...(await flawsOf(page)).map((flaw) => `${tab} ${colorScheme}: ${flaw}`));
    }
  }
  expect(flaws).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
});

it('renames an agent', async () => {
  await page.getByRole('button', { name: 'Rename' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rename researcher' });
  expect(await dialog.getByLabel('Description').inputValue()).toBe('Reads and sums up.');
  await dialog.getByLabel('Name').fill('reader');
  expect(await flawsOf(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('heading', { level: 1, name: 'reader' }).waitFor();
  const { json } = await hubCall(hub.url, 'GET', '/v1/agents');
  expect(json).toMatchObject([{ name: 'reader', description: 'Reads and sums up.' }]);
});

it('deletes an agent after asking, and its key opens nothing', async () => {
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete agent' }).click();
  await page.getByRole('heading', { name: 'No agents yet' }).waitFor();
  await expect(toolsWith(key)).rejects.toThrow('This key was revoked');
});

it('shows hostile texts of agents as text', async () => {
  await hubCall(hub.url, 'POST', '/v1/agents', { name: 'odd', description: HTML });
  await page.reload();
  await page.getByText('<img src=x').waitFor();
  await expect.poll(() => page.getByText('␦202e').count()).toBe(1);
  expect(await page.evaluate('window.ran')).toBeUndefined();
  expect(complaints).toEqual([]);
});

it('adds and removes a service, rotates the master key, and purges keys, each after what it needs', async () => {
  await page.goto(`${hub.url}/#/settings`);
  await page.getByLabel('Name of the service').fill('itself');
  await page.getByLabel('URL to poll').fill(`${hub.url}/health`);
  await page.getByRole('button', { name: 'Add service' }).click();
  const services = page.getByRole('list', { name: 'Services' });
  await services.getByText('up', { exact: true }).waitFor();
  expect(await flawsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Remove itself' }).click();
  await services.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await services.getByText('itself').waitFor();
  await page.getByRole('button', { name: 'Remove itself' }).click();
  await services.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Rotate the master key' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Rotate' }).click();
  await page.getByText('encrypted with the new key').first().waitFor();
  await page.getByRole('button', { name: 'Delete revoked and expired keys' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete keys' }).click();
  await page.getByText('1 key deleted, 0 left.').first().waitFor();
  expect(complaints).toEqual([]);
});
