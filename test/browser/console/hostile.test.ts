import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hubCall } from '../../support/hub-call.js';
import { offeringServer, type OfferingServer } from '../../support/offering-server.js';
import { startRealHub, type RealHub } from '../../support/real-hub.js';
import { launchBrowser, signIn, watchedPage } from './console-browser.js';

const HTML = `<img src=x onerror="window.ran='html'"><script>window.ran='script'</script>`;
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" onload="parent.ran='svg'"><script>parent.ran='svg'</script></svg>`;
const REVERSED = 'safe\u202Etxt.exe';
const FIVE_MEGABYTES = `${HTML}${'x'.repeat(5_000_000)}`;

let hub: RealHub;
let browser: Browser;
let server: OfferingServer;

beforeAll(async () => {
  hub = await startRealHub();
  browser = await launchBrowser();
  server = await offeringServer('legacy');
  server.results.set('tools/list', {
    tools: [
      {
        name: 'trap',
        title: `${HTML}${REVERSED}`,
        description: `${HTML}${REVERSED}`,
        inputSchema: {
          type: 'object',
          properties: { [HTML]: { type: 'string', title: HTML, description: HTML, default: HTML } },
        },
        icons: [{ src: `data:image/svg+xml;base64,${Buffer.from(SVG).toString('base64')}` }],
      },
    ],
  });
  server.results.set('tools/call', {
    content: [
      { type: 'text', text: FIVE_MEGABYTES },
      { type: 'image', mimeType: 'image/svg+xml', data: Buffer.from(SVG).toString('base64') },
      { type: 'image', mimeType: 'text/html', data: Buffer.from(HTML).toString('base64') },
      { type: 'resource_link', uri: `javascript:window.ran='link'`, name: HTML },
      { type: 'resource', resource: { uri: 'x:/', mimeType: 'text/html', text: HTML } },
    ],
    structuredContent: { [HTML]: HTML },
  });
  await hubCall(hub.url, 'POST', '/v1/mcp-servers', {
    server_name: 'hostile',
    config: { mcp_server_type: 'streamable_http', server_url: server.url },
  });
});
afterAll(async () => {
  await browser?.close();
  await hub?.close();
  await server?.[Symbol.asyncDispose]();
});

it('shows hostile names, errors and logs of programs as text', async () => {
  const { page, complaints } = await watchedPage(browser);
  await signIn(page, hub);
  const script = `console.error(${JSON.stringify(HTML + REVERSED)}); process.exit(1)`;
  const made = await hubCall(hub.url, 'POST', '/v1/mcp-servers', {
    server_name: 'crasher',
    config: { mcp_server_type: 'stdio', command: process.execPath, args: ['-e', script] },
  });
  const { id } = made.json as { readonly id: string };
  const toolset = await hubCall(hub.url, 'POST', '/v1/toolsets', { name: 'odd', description: HTML + REVERSED });
  expect(toolset.status).toBe(200);
  await page.goto(`${hub.url}/#/servers`);
  await page
    .getByRole('link', { name: /crasher/u })
    .getByText('<img src=x')
    .waitFor();
  for (const tab of ['facts', 'log', 'sync', 'edit']) {
    await page.goto(`${hub.url}/#/servers/${id}/${tab}`);
    await page.getByRole('tab', { selected: true }).waitFor();
    await page.getByRole('alert').first().getByText('<img src=x').waitFor();
  }
  await page.goto(`${hub.url}/#/servers/${id}/log`);
  await page.getByRole('log').getByText('␦202e').first().waitFor();
  for (const path of ['toolsets', 'home', 'traffic', 'audit', 'availability']) {
    await page.goto(`${hub.url}/#/${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
  }
  expect(await page.evaluate('window.ran')).toBeUndefined();
  expect(complaints).toEqual([]);
  await page.close();
});

it('checks a hostile server, and shows the findings as text', async () => {
  const { page, complaints } = await watchedPage(browser);
  await signIn(page, hub);
  await page.goto(`${hub.url}/#/checks`);
  await page.getByLabel('Server', { exact: true }).selectOption('hostile');
  await page.getByLabel('Depth').selectOption('standard');
  await page.getByLabel('Suite').selectOption('lint');
  await page.getByRole('button', { name: 'Start check' }).click();
  await page.getByText(/^\d+ shown$/u).waitFor({ timeout: 60_000 });
  for (const finding of await page.locator('.finding > summary').all()) await finding.click();
  expect(await page.locator('main').textContent()).toContain('<script>');
  const [report] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('link', { name: 'Open report' }).click(),
  ]);
  await report.getByRole('heading', { level: 1 }).waitFor();
  expect(await report.evaluate('window.ran')).toBeUndefined();
  expect(await page.evaluate('window.ran')).toBeUndefined();
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('shows what a hostile server sends as text, runs nothing of it, and stays usable', async () => {
  const { page, complaints } = await watchedPage(browser);
  await signIn(page, hub);
  await page.goto(`${hub.url}/#/tools`);
  await page.getByRole('link', { name: /trap/u }).click();
  await page.getByRole('heading', { level: 1 }).getByText('<img src=x').waitFor();
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('safe␦202etxt.exe');
  // The form comes in a file of its own; without it, the button submits nothing.
  await page.locator('form').first().waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Run' }).click();
  const result = page.getByRole('region', { name: 'Result' });
  await result.getByText('Answered in').waitFor();
  expect(await result.textContent()).toContain('<script>');
  expect(((await result.textContent()) ?? '').length).toBeLessThan(200_000);
  expect(await page.locator('a[href^="javascript:"]').count()).toBe(0);
  await page.getByRole('tab', { name: 'Definition' }).click();
  await page.getByRole('heading', { name: 'Arguments' }).waitFor();
  await page.getByRole('tab', { name: 'Grade and providers' }).click();
  await page.getByText('What changes, and why').first().click();
  await page
    .getByRole('list', { name: /^Before and after for/u })
    .getByText('<img src=x')
    .first()
    .waitFor();
  expect(await page.evaluate('window.ran')).toBeUndefined();
  expect(complaints).toEqual([]);
  await page.close();
});
