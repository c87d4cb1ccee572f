import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startRealHub, type RealHub } from '../../support/real-hub.js';
import { launchBrowser, signIn, watchedPage } from './console-browser.js';

const SERVERS = 500;
const TOOLS = 20_000;
const PAGE = 100;
/** More rows than are in sight would be in the page if lists were not virtual. */
const MOST_ROWS = 60;

let hub: RealHub;
let browser: Browser;

beforeAll(async () => {
  hub = await startRealHub();
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await hub?.close();
});

const serverOf = (at: number): object => ({
  id: `mcp_server-${at}`,
  server_name: `server-${String(at).padStart(3, '0')}`,
  mcp_server_type: 'streamable_http',
  server_url: 'https://example.test/mcp',
  enabled: true,
  protocol: null,
  last_sync: null,
  status: { state: 'ready', at: '2026-01-01T00:00:00Z' },
  tool_count: TOOLS / SERVERS,
  held_tool_count: 0,
  missing_variables: [],
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
});

const toolOf = (at: number): object => ({
  id: `tool-${at}`,
  server_id: `mcp_server-${at % SERVERS}`,
  upstream_name: `tool_${at}`,
  name: `server__tool_${at}`,
  description: `Does the thing number ${at}.`,
  grade: { status: 'STRICT_COMPLIANT', reasons: [] },
  enabled: true,
  metadata: { mcp: { server_id: `mcp_server-${at % SERVERS}`, server_name: `server-${at % SERVERS}` } },
});

it(`lists ${SERVERS} servers and ${TOOLS} tools with few rows in the page, and filters while typing`, async () => {
  const { page, complaints } = await watchedPage(browser, { viewport: { width: 1280, height: 800 } });
  const servers = JSON.stringify(Array.from({ length: SERVERS }, (_, at) => serverOf(at)));
  await page.route('**/v1/mcp-servers', (route) => route.fulfill({ contentType: 'application/json', body: servers }));
  await page.route('**/v1/tools?**', (route) => {
    const { searchParams } = new URL(route.request().url());
    const search = searchParams.get('search') ?? '';
    const after = Number(searchParams.get('after') ?? -1);
    const fitting = Array.from({ length: TOOLS }, (_, at) => at).filter(
      (at) => `tool_${at}`.includes(search) && at > after,
    );
    const next = fitting.length > PAGE ? { 'x-next-after': String(fitting[PAGE - 1]) } : {};
    return route.fulfill({
      contentType: 'application/json',
      headers: next,
      body: JSON.stringify(fitting.slice(0, PAGE).map(toolOf)),
    });
  });
  await signIn(page, hub);
  await page.goto(`${hub.url}/#/servers`);
  await page.getByRole('link', { name: /server-000/u }).waitFor();
  expect(await page.getByRole('listitem').filter({ hasText: 'server-' }).count()).toBeLessThan(MOST_ROWS);
  await page.getByLabel('Filter servers').fill('server-499');
  await page.getByRole('link', { name: /server-499/u }).waitFor();
  await page.goto(`${hub.url}/#/tools`);
  await page.getByText('20,000 tools of 500 servers').waitFor();
  const list = page.getByRole('list', { name: 'Tools' });
  await list.getByRole('link').first().waitFor();
  for (let count = 0; count < 20; count += 1) {
    await list.evaluate((element) => {
      element.scrollTop = element.scrollHeight;
    });
    await expect.poll(() => list.getByRole('link').count()).toBeLessThan(MOST_ROWS);
  }
  await page.getByLabel('Search tools').fill('tool_19999');
  await page.getByRole('link', { name: /tool_19999/u }).waitFor();
  expect(complaints).toEqual([]);
  await page.close();
});
