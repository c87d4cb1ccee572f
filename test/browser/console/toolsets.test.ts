import type { Toolset } from '@plugboard/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hubCall } from '../../support/hub-call.js';
import { offeringServer, type OfferingServer } from '../../support/offering-server.js';
import { startRealHub, type RealHub } from '../../support/real-hub.js';
import { flawsOf, launchBrowser, signIn, watchedPage } from './console-browser.js';

let hub: RealHub;
let browser: Browser;
let page: Page;
let complaints: string[];
let server: OfferingServer;
let serverId: string;
let toolsetId: string;

const inputSchema = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' }, units: { type: 'string' } },
  required: ['city'],
};
const offerTools = (description: string): void => {
  server.results.set('tools/list', {
    tools: [
      { name: 'forecast', description, inputSchema },
      { name: 'alerts', description: 'Warns.', inputSchema },
    ],
  });
};

const stored = async (): Promise<Toolset> =>
  (await hubCall(hub.url, 'GET', `/v1/toolsets/${toolsetId}`)).json as Toolset;

beforeAll(async () => {
  hub = await startRealHub();
  browser = await launchBrowser();
  server = await offeringServer('legacy');
  offerTools('Says how the weather will be.');
  const made = await hubCall(hub.url, 'POST', '/v1/mcp-servers', {
    server_name: 'weather',
    config: { mcp_server_type: 'streamable_http', server_url: server.url },
  });
  serverId = (made.json as { readonly id: string }).id;
  const toolset = await hubCall(hub.url, 'POST', '/v1/toolsets', { name: 'daily' });
  toolsetId = (toolset.json as Toolset).id;
  ({ page, complaints } = await watchedPage(browser, { viewport: { width: 1280, height: 800 } }));
  await signIn(page, hub);
});
afterAll(async () => {
  await browser?.close();
  await hub?.close();
  await server?.[Symbol.asyncDispose]();
});

it('takes tools over by dragging, and shows what each costs and what the provider makes of it', async () => {
  await page.goto(`${hub.url}/#/toolsets/${toolsetId}`);
  await page.getByText('Nothing is offered yet').waitFor();
  const chosen = page.getByRole('region', { name: 'Tools of the toolset' });
  await page.getByRole('list', { name: 'Tools to add' }).getByText('forecast').dragTo(chosen);
  await page.getByLabel('Name of forecast for models').waitFor();
  expect((await stored()).entries.map(({ upstream_name }) => upstream_name)).toEqual(['forecast']);
  expect(await chosen.textContent()).toMatch(/weather.*\d+ tokens/u);
  await page.getByLabel('Adapt schemas to').selectOption('openai-strict');
  await chosen.getByText('Rewritten', { exact: true }).waitFor();
  await page.getByLabel('Adapt schemas to').selectOption('openai');
  await chosen.getByText('As it is', { exact: true }).waitFor();
  expect(await flawsOf(page)).toEqual([]);
});

it('hides an argument, gives another a value, and keeps a required one', async () => {
  await page.getByText('Arguments', { exact: true }).click();
  await page.getByLabel('Use of days of forecast').selectOption('hidden');
  await page.getByText('Arguments, 1 hidden from the model').waitFor();
  await page.getByLabel('Use of units of forecast').selectOption('preset');
  await page.getByLabel('Value of units of forecast').fill('metric');
  await page.getByLabel('Value of units of forecast').blur();
  await expect
    .poll(async () => (await stored()).entries)
    .toMatchObject([{ hidden_arguments: ['days'], preset_arguments: { units: 'metric' } }]);
  expect(await page.getByLabel('Use of city of forecast').locator('option').allTextContents()).toEqual([
    'The model gives it',
    'Always this value',
  ]);
  expect(await flawsOf(page)).toEqual([]);
});

it('takes the removal of a tool back', async () => {
  await page.getByRole('button', { name: 'Remove forecast' }).click();
  await page.getByText('Nothing is offered yet').waitFor();
  await page.getByRole('button', { name: 'Add alerts' }).click();
  await page.getByLabel('Name of alerts for models').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByLabel('Name of forecast for models').waitFor();
  expect((await stored()).entries).toMatchObject([
    { upstream_name: 'alerts' },
    { upstream_name: 'forecast', hidden_arguments: ['days'], preset_arguments: { units: 'metric' } },
  ]);
});

it('shows a tool before and after the rewrites of a provider', async () => {
  await page.goto(`${hub.url}/#/tools`);
  await page.getByRole('link', { name: /^forecast/u }).click();
  await page.getByRole('tab', { name: 'Grade and providers' }).click();
  const row = page.getByRole('listitem').filter({ hasText: 'openai-strict' });
  await row.getByText('What changes, and why').click();
  const diff = row.getByRole('list', { name: 'Before and after for openai-strict' });
  await diff.getByText('"additionalProperties": false').waitFor();
  expect(await diff.locator('.diff-line.added').allTextContents()).toEqual(
    expect.arrayContaining([expect.stringContaining('additionalProperties')]),
  );
  expect(await flawsOf(page)).toEqual([]);
});

it('finds the tools that wait for approval, shows what changed, and offers them again', async () => {
  offerTools('Says how the weather will be, and sends it to me.');
  await hubCall(hub.url, 'POST', `/v1/mcp-servers/${serverId}/sync`);
  await page.goto(`${hub.url}/#/tools`);
  await page.getByLabel('State').selectOption('held');
  const list = page.getByRole('list', { name: 'Tools' });
  await list.getByRole('link', { name: /^forecast/u }).waitFor();
  await expect.poll(() => list.getByRole('link').count()).toBe(1);
  expect(await flawsOf(page)).toEqual([]);
  await list.getByRole('link', { name: /^forecast/u }).click();
  await page.getByText('Agents do not get it until you approve the change').waitFor();
  await page.getByRole('tab', { name: 'Definition' }).click();
  await page.getByText(', an earlier one').waitFor();
  await page.getByRole('button', { name: 'Approve this definition' }).click();
  await page.getByText('Approved. Agents get the tool again.').first().waitFor();
  await page.goto(`${hub.url}/#/tools`);
  await page.getByLabel('State').selectOption('held');
  await page.getByText('No tool awaits approval').waitFor();
  expect(complaints).toEqual([]);
});

it('renames a toolset, and its endpoint with it', async () => {
  await page.goto(`${hub.url}/#/toolsets/${toolsetId}`);
  await page.getByRole('button', { name: 'Rename' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rename daily' });
  await dialog.getByLabel('Name').fill('no/name');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByLabel('Name').fill('weekly');
  await dialog.getByLabel('Description').fill('For the week');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('heading', { level: 1, name: 'weekly' }).waitFor();
  await page.getByText(`${hub.url}/toolsets/weekly/mcp`, { exact: true }).waitFor();
  expect(await stored()).toMatchObject({ name: 'weekly', description: 'For the week' });
});
