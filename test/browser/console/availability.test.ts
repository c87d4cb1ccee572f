import type { ServerView } from '@plugboard/contract';
import { deadPort, fakeServerCommand } from '@plugboard/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hubCall } from '../../support/hub-call.js';
import { startRealHub, type RealHub } from '../../support/real-hub.js';
import { flawsOf, launchBrowser, signIn, watchedPage } from './console-browser.js';

let hub: RealHub;
let browser: Browser;
let page: Page;
let complaints: string[];

const register = async (server_name: string, config: object): Promise<ServerView> =>
  (await hubCall(hub.url, 'POST', '/v1/mcp-servers', { server_name, config })).json as ServerView;

const overview = () => page.getByRole('region', { name: 'Availability of servers' });

beforeAll(async () => {
  hub = await startRealHub();
  browser = await launchBrowser();
  const { command, args } = fakeServerCommand({ tools: ['echo'] });
  const steady = await register('steady', { mcp_server_type: 'stdio', command, args });
  const dead = await register('dead', { mcp_server_type: 'streamable_http', server_url: (await deadPort()).url });
  for (const { id } of [steady, dead, dead]) await hubCall(hub.url, 'POST', `/v1/monitor/${id}/probe`);
  ({ page, complaints } = await watchedPage(browser, { viewport: { width: 1280, height: 800 } }));
  await signIn(page, hub);
});
afterAll(async () => {
  await browser?.close();
  await hub?.close();
});

it('gives an overview with the servers worst off first, and says that probes are off', async () => {
  await page.goto(`${hub.url}/#/availability`);
  await page.getByText('does not probe its servers regularly').waitFor();
  await overview().getByText('down').waitFor();
  const names = await overview().getByRole('rowheader').allTextContents();
  expect(names).toEqual(['dead', 'steady']);
  expect(await overview().getByRole('row').nth(2).textContent()).toContain('100 %');
  expect(await overview().getByRole('row').nth(1).textContent()).toContain('used up');
  await page.getByRole('list', { name: 'Alerts' }).getByText('down').first().waitFor();
});

it('shows the steps, the budget and the history of one server, and probes it', async () => {
  await overview().getByRole('link', { name: 'steady' }).click();
  await page.getByRole('tab', { name: 'Availability', selected: true }).waitFor();
  const steps = page.getByRole('region', { name: 'Steps of the probes' });
  await steps.getByRole('rowheader', { name: 'tools/list' }).waitFor();
  const times = () =>
    steps
      .getByRole('row', { name: /^handshake/u })
      .getByRole('cell')
      .first()
      .textContent();
  expect(await times()).toBe('1');
  await page.getByRole('button', { name: 'Probe now' }).click();
  await page.getByText('The server answered.').first().waitFor();
  await expect.poll(times).toBe('2');
  await page.getByText('Error budget (objective 99.0 %)').waitFor();
  await page.locator('.chart canvas').nth(1).waitFor();
  await page.getByLabel('Step of the probe').selectOption('tools/list');
  await page.getByText('The figures as a table').click();
  await expect
    .poll(() => page.getByRole('region', { name: 'Probes over time' }).getByRole('row').count())
    .toBeGreaterThan(1);
});

it.each([
  ['light', 1280],
  ['dark', 1280],
  ['light', 360],
  ['dark', 360],
] as const)('is accessible, with figures in it, %s, %d px wide', async (colorScheme, width) => {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height: 800 });
  const flaws = [...(await flawsOf(page))];
  const address = page.url();
  await page.goto(`${hub.url}/#/availability`);
  await overview().getByText('down').waitFor();
  flaws.push(...(await flawsOf(page)));
  await page.goto(address);
  await page.locator('.chart canvas').nth(1).waitFor();
  expect(flaws).toEqual([]);
  expect(complaints).toEqual([]);
});
