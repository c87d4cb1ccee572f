import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ownerKey, start, temporaryDirectory, until } from '../../e2e/cli-process.js';
import { flawsOf, launchBrowser, signIn, watchedPage } from './console-browser.js';

const START_MS = 60_000;

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => browser?.close());

it('greets on an empty home with three doors and an endpoint, and adds the samples', async () => {
  const home = await temporaryDirectory();
  const hub = start(['serve', '--port', '0'], { home, env: { PLUGBOARD_LOG_LEVEL: 'warn' } });
  const url = (await until(hub, /running at (?<url>http:\/\/[\d.]+:\d+)/u)).groups?.['url'] ?? '';
  const { page, complaints } = await watchedPage(browser, { viewport: { width: 1280, height: 800 } });
  await signIn(page, { url, key: await ownerKey(home) });
  await page.getByRole('heading', { level: 1, name: 'Welcome to Plugboard' }).waitFor();
  for (const title of ['Add a server', 'Import a configuration']) {
    await expect.poll(() => page.getByRole('link', { name: title }).count()).toBe(1);
  }
  const endpoint = page.getByRole('region', { name: 'Endpoint' });
  await endpoint.getByText(`${url}/mcp`, { exact: true }).waitFor();
  for (const client of ['Claude Desktop', 'Cursor', 'VS Code']) {
    await endpoint.getByRole('tab', { name: client }).click();
    await endpoint.getByText(client === 'Claude Desktop' ? '"stdio"' : `"url": "${url}/mcp"`).waitFor();
  }
  expect(await flawsOf(page)).toEqual([]);

  await page.getByRole('button', { name: 'Try the samples' }).click();
  await page.getByText('4 sample servers added').first().waitFor({ timeout: START_MS });
  await page.getByRole('heading', { level: 1, name: 'Tools' }).waitFor();
  await page.getByLabel('Search tools').fill('get-sum');
  await page.getByRole('link', { name: /^get-sum/u }).click();
  await page.getByLabel('a*').fill('2');
  await page.getByLabel('b*').fill('3');
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByRole('region', { name: 'Result' }).getByText('The sum of 2 and 3 is 5.').waitFor();
  await page.goto(`${url}/#/home`);
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  await page.getByRole('link', { name: 'Try a tool' }).waitFor();
  expect(complaints).toEqual([]);
  await page.close();
});
