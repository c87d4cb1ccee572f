import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startRealHub, type RealHub } from '../../support/real-hub.js';
import { launchBrowser, signIn, watchedPage } from './console-browser.js';

let hub: RealHub;
let browser: Browser;
let other: Server;
let cookies: string[];

beforeAll(async () => {
  hub = await startRealHub();
  browser = await launchBrowser();
  cookies = [];
  other = createServer((request, response) => {
    cookies.push(request.headers.cookie ?? '');
    response.end();
  }).listen(0, '127.0.0.1');
  await once(other, 'listening');
});
afterAll(async () => {
  await browser?.close();
  await hub?.close();
  other?.close();
});

it('a program on another port gets the cookie of the browser, and can do nothing with it', async () => {
  const { page } = await watchedPage(browser);
  await signIn(page, hub);
  await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`);
  const cookie = cookies[0] ?? '';
  expect(cookie).toContain('plugboard_session=');
  const stolen = async (path: string): Promise<number> => (await fetch(hub.url + path, { headers: { cookie } })).status;
  expect([await stolen('/v1/session'), await stolen('/v1/mcp-servers'), await stolen('/v1/keys')]).toEqual([
    401, 401, 401,
  ]);
  // The page of the hub itself is still signed in.
  await page.goto(hub.url);
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  await page.context().close();
});

it('the audit trail is saved as a file', async () => {
  const { page, complaints } = await watchedPage(browser);
  await signIn(page, hub);
  await page.goto(`${hub.url}/#/audit`);
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  const file = await saving;
  expect(file.suggestedFilename()).toBe('audit.jsonl');
  const chunks: Buffer[] = [];
  for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
  expect(Buffer.concat(chunks).toString()).toContain('"openSession"');
  expect(complaints).toEqual([]);
  await page.context().close();
});
