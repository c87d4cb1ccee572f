import type { ServerView, Toolset } from '@plugboard/contract';
import { fakeServerCommand } from '@plugboard/testing';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hubCall } from '../../support/hub-call.js';
import { startRealHub, type RealHub } from '../../support/real-hub.js';
import { flawsOf, launchBrowser, signIn, watchedPage } from './console-browser.js';

let hub: RealHub;
let browser: Browser;
let builderId: string;

beforeAll(async () => {
  hub = await startRealHub();
  browser = await launchBrowser();
  const { command, args } = fakeServerCommand({ tools: ['echo', 'add'] });
  const made = await hubCall(hub.url, 'POST', '/v1/mcp-servers', {
    server_name: 'everyday',
    config: { mcp_server_type: 'stdio', command, args },
  });
  const { id: server_id } = made.json as ServerView;
  const entries = [{ server_id, upstream_name: 'echo', name: 'say', hidden_arguments: [] }];
  const toolset = await hubCall(hub.url, 'POST', '/v1/toolsets', { name: 'full', entries });
  builderId = (toolset.json as Toolset).id;
  await hubCall(hub.url, 'POST', '/v1/toolsets', { name: 'empty' });
});
afterAll(async () => {
  await browser?.close();
  await hub?.close();
});

/** The share of the screen that moved, times how far: browsers call a tenth good. */
const MOST_MOVED = 0.05;

const PAGES = [
  'Home',
  'Servers',
  'Tools',
  'Resources',
  'Toolsets',
  'Agents',
  'Chat',
  'Traffic',
  'Availability',
  'Checks',
  'Benchmarks',
  'Keys',
  'Audit',
  'Settings',
];

it.each([
  ['light', 1280],
  ['dark', 1280],
  ['light', 360],
  ['dark', 360],
] as const)('every page is accessible, %s, %d px wide', async (colorScheme, width) => {
  const { page, complaints } = await watchedPage(browser, { colorScheme, viewport: { width, height: 800 } });
  await signIn(page, hub);
  const flaws: string[] = [];
  for (const title of PAGES) {
    await page.goto(`${hub.url}/#/${title.toLowerCase()}`);
    await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
    await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
    flaws.push(...(await flawsOf(page)).map((flaw) => `${title}: ${flaw}`));
  }
  expect(flaws).toEqual([]);
  expect(complaints).toEqual([]);
  await page.close();
});

it.each([1280, 360])('nothing moves while a page is loaded, %d px wide', async (width) => {
  const { page } = await watchedPage(browser, { viewport: { width, height: 800 } });
  await page.addInitScript(`
    window.moved = 0;
    new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => { window.moved += value; }))
      .observe({ type: 'layout-shift', buffered: true });
  `);
  await signIn(page, hub);
  const moved: string[] = [];
  for (const title of PAGES) {
    // Otherwise only the part behind the # would change, and nothing would be loaded.
    await page.goto('about:blank');
    await page.goto(`${hub.url}/#/${title.toLowerCase()}`);
    await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
    await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
    const value = (await page.evaluate('window.moved')) as number;
    if (value > MOST_MOVED) moved.push(`${title}: ${value}`);
  }
  expect(moved).toEqual([]);
  await page.close();
});

it.each([
  ['light', 1280],
  ['dark', 1280],
  ['light', 360],
  ['dark', 360],
] as const)('the add page and the toolset builder are accessible, %s, %d px wide', async (colorScheme, width) => {
  const { page, complaints } = await watchedPage(browser, { colorScheme, viewport: { width, height: 800 } });
  await signIn(page, hub);
  const flaws: string[] = [];
  for (const [address, heading] of [
    ['/servers/new', /server/iu],
    ['/servers/new/paste', /server/iu],
    [`/toolsets/${builderId}`, 'full'],
  ] as const) {
    await page.goto(`${hub.url}/#${address}`);
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
    flaws.push(...(await flawsOf(page)).map((flaw) => `${address}: ${flaw}`));
  }
  expect(flaws).toEqual([]);
  expect(complaints).toEqual([]);
  await page.close();
});

it('an address without a page says so, and a server that is missing leads to the others', async () => {
  const { page, complaints } = await watchedPage(browser);
  await signIn(page, hub);
  await page.goto(`${hub.url}/#/serverss/x`);
  await page.getByRole('heading', { level: 1, name: 'No such page' }).waitFor();
  await page.getByText('/serverss/x').waitFor();
  expect(await flawsOf(page)).toEqual([]);
  await page.getByRole('link', { name: 'Go to Home' }).click();
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  await page.goto(`${hub.url}/#/servers/missing`);
  await page.getByRole('alert').getByRole('link', { name: 'All servers' }).click();
  await page.getByRole('heading', { level: 1, name: 'Servers' }).waitFor();
  await page.goto(`${hub.url}/#/`);
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  expect(complaints).toEqual([]);
  await page.close();
});

it('does not offer to connect to a program', async () => {
  const { page } = await watchedPage(browser);
  await signIn(page, hub);
  await page.goto(`${hub.url}/#/servers`);
  await page.getByRole('link', { name: /everyday/u }).click();
  await page.getByRole('button', { name: 'Restart' }).waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Connect' }).count()).toBe(0);
  await page.close();
});

it('the settings of a hub that is not ready show what is known, and why', async () => {
  const { page, complaints } = await watchedPage(browser);
  await signIn(page, hub);
  const ready = (await (await page.request.get(`${hub.url}/ready`)).json()) as object;
  await page.route('**/ready', (route) => route.fulfill({ status: 503, json: { ...ready, store: 'failing' } }));
  await page.goto(`${hub.url}/#/settings`);
  await page.getByText('The hub is not ready').waitFor();
  await page.getByText('Its store does not answer').waitFor();
  await page.getByText('failing', { exact: true }).waitFor();
  await page.getByText(/of at most \d+ running/u).waitFor();
  await expect.poll(() => page.getByRole('alert').count()).toBe(0);
  expect(await flawsOf(page)).toEqual([]);
  expect(complaints).toEqual([]);
  await page.close();
});

it('goes to anything by its name, with Ctrl+K or a click', async () => {
  const { page, complaints } = await watchedPage(browser);
  await signIn(page, hub);
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder(/^Go to a page/u).fill('everyd');
  await page.getByRole('option', { name: /^everyday ?server$/u, selected: true }).waitFor();
  expect(await flawsOf(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'everyday' }).waitFor();
  for (const [typed, option, heading] of [
    ['echo', /^echo ?tool of everyday$/u, 'echo'],
    ['ful', /^full ?toolset$/u, 'full'],
  ] as const) {
    await page.getByRole('button', { name: 'Go to…' }).click();
    await page.getByPlaceholder(/^Go to a page/u).fill(typed);
    await page.getByRole('option', { name: option, selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
  }
  expect(complaints).toEqual([]);
  await page.close();
});

it('is used with the keyboard alone, also from a phone', async () => {
  const { page } = await watchedPage(browser, { viewport: { width: 360, height: 700 } });
  await signIn(page, hub);
  await page.getByRole('button', { name: 'Menu' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Servers' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Servers' }).waitFor();
  await page.getByRole('link', { name: /everyday/u }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('tab', { name: 'Tools 2' }).focus();
  const selected = (): Promise<string | null> => page.getByRole('tab', { selected: true }).textContent();
  await page.keyboard.press('ArrowRight');
  await expect.poll(selected).toBe('Overview');
  await page.getByRole('tab', { name: 'Overview' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('ArrowRight');
  await expect.poll(selected).toBe('Availability');
  // A tab that the address names is in sight, however far on the right it is.
  await page.goto(`${page.url().replace(/\/[a-z]+$/u, '')}/edit`);
  await expect.poll(selected).toBe('Edit');
  const box = await page.getByRole('tab', { selected: true }).boundingBox();
  expect((box?.x ?? Infinity) + (box?.width ?? 0)).toBeLessThanOrEqual(360);
  await page.close();
});
