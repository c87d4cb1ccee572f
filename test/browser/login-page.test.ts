import chromium from '@sparticuz/chromium';
import { chromium as playwright, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startRealHub, type RealHub } from '../support/real-hub.js';

const ADMIN_KEY = 'the-key-of-the-operator-of-this-test';

let hub: RealHub;
let browser: Browser;

beforeAll(async () => {
  hub = await startRealHub({
    settings: { access: { required: true, maxFailures: 100, trustProxy: [], adminKey: ADMIN_KEY, oauth: undefined } },
  });
  browser = await playwright.launch({
    executablePath: await chromium.executablePath(),
    // One process for all would take the browser down with the first page that closes.
    args: [...chromium.args.filter((arg) => arg !== '--single-process'), '--no-sandbox'],
  });
});
afterAll(async () => {
  await browser?.close();
  await hub?.close();
});

const visit = async (options: Parameters<Browser['newPage']>[0] = {}) => {
  const page = await browser.newPage(options);
  const complaints: string[] = [];
  // The browser itself remarks on the status of a refused login.
  page.on('console', (message) => {
    if (!message.text().includes('401')) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(`${hub.url}/login`);
  return { page, complaints };
};

const enter = async (page: Page, key: string): Promise<void> => {
  // The field has the focus, and its form is sent with the keyboard alone.
  await page.keyboard.type(key);
  await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
};

it('lets a person in with a key and the keyboard, and out again', async () => {
  const { page, complaints } = await visit();
  try {
    expect(await page.getByLabel('Key').getAttribute('type')).toBe('password');
    await enter(page, 'pb_a_wrong_key');
    const alert = page.getByRole('alert');
    expect(await alert.textContent()).toContain('key');
    expect(await page.getByLabel('Key').getAttribute('aria-describedby')).toContain(await alert.getAttribute('id'));
    expect(await page.getByLabel('Key').inputValue()).toBe('');
    await enter(page, ADMIN_KEY);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('You are logged in');
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ name: 'plugboard_session', httpOnly: true, sameSite: 'Strict' });
    expect(await page.evaluate('document.cookie')).toBe('');
    expect(await page.evaluate('fetch("/v1/session").then((r) => r.status, () => "blocked")')).toBe('blocked');
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Log out' }).click()]);
    expect(await page.getByLabel('Key').count()).toBe(1);
    expect(await page.context().cookies()).toEqual([]);
    expect(complaints.filter((text) => !text.includes('Content Security Policy'))).toEqual([]);
  } finally {
    await page.close();
  }
});

it('is light by day and dark by night, and fits a telephone', async () => {
  const grounds: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page } = await visit({ colorScheme, viewport: { width: 320, height: 640 } });
    grounds.push(await page.evaluate('getComputedStyle(document.body).backgroundColor'));
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
    await page.close();
  }
  expect(grounds).toEqual(['rgb(255, 255, 255)', 'rgb(18, 22, 28)']);
});
