import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { fakeServerCommand } from '@plugboard/testing';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { root } from '../../architecture/source.js';
import { hubCall } from '../../support/hub-call.js';
import { startRealHub, type RealHub } from '../../support/real-hub.js';
import { flawsOf, launchBrowser, signIn, watchedPage } from './console-browser.js';

const KILOBYTE = 1024;
const FIRST_VIEW_KB = 250;

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

it('asks for a key, refuses a wrong one in words, and lets a good one in', async () => {
  const { page, complaints } = await watchedPage(browser);
  await page.goto(hub.url);
  await page.getByLabel('Key').fill('pb_a_wrong_key');
  await page.keyboard.press('Enter');
  expect(await page.getByRole('alert').textContent()).toContain('key');
  expect(await page.getByLabel('Key').inputValue()).toBe('');
  await signIn(page, hub);
  await page.getByRole('heading', { level: 1, name: 'Welcome to Plugboard' }).waitFor();
  expect(await page.evaluate('document.cookie')).toBe('');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Key').waitFor();
  expect(await page.evaluate('fetch("/v1/session").then((r) => r.status)')).toBe(401);
  expect(complaints).toEqual([]);
  await page.close();
});

it('follows a sign-in link once, and leaves no trace of it in the address', async () => {
  const secret = hub.openSignInLink();
  const first = await watchedPage(browser);
  const requests: string[] = [];
  first.page.on('request', (request) => requests.push(request.url()));
  await first.page.goto(`${hub.url}/#/sign-in/${secret}`);
  await first.page.getByRole('heading', { name: 'Welcome to Plugboard' }).waitFor();
  expect(first.page.url()).not.toContain(secret);
  expect(requests.slice(1).filter((url) => url.includes(secret))).toEqual([]);
  await first.page.close();
  const second = await watchedPage(browser);
  await second.page.goto(`${hub.url}/#/sign-in/${secret}`);
  expect(await second.page.getByText('was already used').textContent()).toContain('link');
  await second.page.close();
});

it('loads from the hub alone, under a policy without exceptions', async () => {
  const { page, complaints } = await watchedPage(browser);
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(hub.url)) foreign.push(request.url());
  });
  const answer = await page.goto(hub.url);
  const policy = answer?.headers()['content-security-policy'] ?? '';
  expect(policy).toContain("script-src 'self'");
  expect(policy).not.toContain('unsafe');
  await signIn(page, hub);
  expect([foreign, complaints]).toEqual([[], []]);
  await page.evaluate(`(() => {
    const script = document.createElement('script');
    script.textContent = 'window.ran = true';
    document.body.append(script);
  })()`);
  expect(await page.evaluate('window.ran')).toBeUndefined();
  expect(complaints.join()).toContain('Content Security Policy');
  await page.close();
});

it(`is small: the first view takes at most ${FIRST_VIEW_KB} KB`, async () => {
  const built = join(root, 'packages/plugboard/dist/console');
  const page = readFileSync(join(built, 'index.html'), 'utf8');
  const first = readdirSync(join(built, 'assets')).filter((name) => page.includes(name));
  expect(first.length).toBeGreaterThan(1);
  const bytes = first.map((name) => gzipSync(readFileSync(join(built, 'assets', name))).length);
  expect(bytes.reduce((sum, size) => sum + size, 0) / KILOBYTE).toBeLessThanOrEqual(FIRST_VIEW_KB);
});

it.each([
  ['light', 1280],
  ['dark', 1280],
  ['light', 360],
  ['dark', 360],
] as const)('signs in accessibly, %s, %d px wide', async (colorScheme, width) => {
  const { page } = await watchedPage(browser, { colorScheme, viewport: { width, height: 800 } });
  await page.goto(hub.url);
  await page.getByLabel('Key').waitFor();
  expect(await flawsOf(page)).toEqual([]);
  await page.close();
});

it('says when the hub is away, reconnects to the process that takes its place, and is still signed in', async () => {
  const home = await mkdtemp(join(tmpdir(), 'plugboard-restart-'));
  const first = await startRealHub({ settings: { home } });
  const port = Number(new URL(first.url).port);
  const { page } = await watchedPage(browser);
  // As with the link that a hub prints: the key of the owner is another after each start.
  await page.goto(`${first.url}/#/sign-in/${first.openSignInLink()}`);
  await page.getByRole('heading', { name: 'Welcome to Plugboard' }).waitFor();
  await page.goto(`${first.url}/#/keys`);
  await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor();
  await first.close();
  await page.getByText('The connection to the hub is lost').waitFor();
  const second = await startRealHub({ settings: { home, port } });
  let third: RealHub | undefined;
  try {
    await page.getByText('Reconnected').waitFor();
    await expect.poll(() => page.getByLabel('Key').count()).toBe(0);
    // A change needs the proof of the session, which is still the same.
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel('Name').fill('colleague');
    await page.getByLabel('Role').selectOption('viewer');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    const key = String(await page.getByRole('dialog').locator('pre').first().textContent());
    const other = await watchedPage(browser);
    await signIn(other.page, { url: second.url, key });
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Revoke colleague' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke key' }).click();
    await page.getByText('Revoked', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Key').waitFor();
    await second.close();
    third = await startRealHub({ settings: { home, port } });
    // Signed out, or with a key that was revoked: no process lets them in again.
    for (const one of [page, other.page]) {
      await one.reload();
      await one.getByLabel('Key').waitFor();
      expect(await one.evaluate('fetch("/v1/session").then((r) => r.status)')).toBe(401);
    }
    await other.page.close();
  } finally {
    await page.close();
    await (third ?? second).close();
    await rm(home, { recursive: true, force: true });
  }
});

it('follows the log of a server over a restart of the hub, and says meanwhile that the hub is away', async () => {
  const home = await mkdtemp(join(tmpdir(), 'plugboard-log-'));
  const first = await startRealHub({ settings: { home } });
  const port = Number(new URL(first.url).port);
  const { command, args } = fakeServerCommand({ tools: ['echo'] });
  const { json } = await hubCall(first.url, 'POST', '/v1/mcp-servers', {
    server_name: 'everyday',
    config: { mcp_server_type: 'stdio', command, args },
  });
  const { id } = json as { readonly id: string };
  const { page } = await watchedPage(browser);
  await page.goto(`${first.url}/#/sign-in/${first.openSignInLink()}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.goto(`${first.url}/#/servers/${id}/log`);
  const lines = page.getByRole('log').locator('.log-line');
  await lines.first().waitFor();
  await first.close();
  await page.getByRole('alert').getByText('The hub does not answer').first().waitFor();
  const before = await lines.count();
  expect(before).toBeGreaterThan(0);
  const second = await startRealHub({ settings: { home, port } });
  try {
    await page.getByText('Reconnected').waitFor();
    await hubCall(second.url, 'POST', `/v1/mcp-servers/${id}/restart`);
    await expect.poll(() => lines.count(), { timeout: 20_000 }).toBeGreaterThan(before);
    await expect.poll(() => page.getByText('The hub does not answer').count()).toBe(0);
  } finally {
    await page.close();
    await second.close();
    await rm(home, { recursive: true, force: true });
  }
});
