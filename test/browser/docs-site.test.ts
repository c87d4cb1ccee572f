import chromium from '@sparticuz/chromium';
import { chromium as playwright, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRealHub, type RealHub } from '../support/real-hub.js';

describe('the documentation in a browser', () => {
  let hub: RealHub;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    hub = await startRealHub();
    browser = await playwright.launch({
      executablePath: await chromium.executablePath(),
      args: [...chromium.args.filter((arg) => arg !== '--single-process'), '--no-sandbox'],
    });
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('requestfailed', (request) => complaints.push(`failed: ${request.url()}`));
  });
  afterAll(async () => {
    await browser?.close();
    await hub?.close();
  });

  const hrefsOf = async (links: string): Promise<readonly string[]> => {
    const all = await page.locator(links).all();
    const hrefs = await Promise.all(all.map((link) => link.getAttribute('href')));
    return hrefs.map((href) => new URL(href ?? '', page.url()).href);
  };

  it('opens every page of its navigation, each with a title and without a complaint', async () => {
    await page.goto(`${hub.url}/docs`);
    const links = await hrefsOf('nav a');
    expect(links.length).toBeGreaterThan(30);
    for (const link of links) {
      const answer = await page.request.get(link);
      expect([link, answer.status()]).toEqual([link, 200]);
      expect(await answer.text()).toContain('<h1');
    }
    expect(complaints).toEqual([]);
  });

  it('leads to no page that is not there', async () => {
    const inside = new Set<string>();
    for (const path of ['/docs', '/docs/getting-started', '/docs/gateway', '/docs/ARCHITECTURE']) {
      await page.goto(hub.url + path);
      const hrefs = await hrefsOf('main a');
      for (const href of hrefs) if (href.startsWith(hub.url)) inside.add(href.split('#')[0] ?? '');
    }
    for (const href of inside) expect([href, (await page.request.get(href)).status()]).toEqual([href, 200]);
  });

  it('finds a section by a word, and goes there', async () => {
    await page.goto(`${hub.url}/docs`);
    await page.keyboard.press('/');
    await page.keyboard.type('Last-Event-ID');
    await page.locator('#results a').first().waitFor();
    await page.locator('#results a', { hasText: 'gateway' }).first().click();
    await page.waitForURL(/\/docs\/gateway#/u);
    expect(await page.locator('h1').textContent()).toContain('gateway');
    expect(complaints).toEqual([]);
  });

  it('copies the commands of a block, without their prompts', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: hub.url });
    await page.goto(`${hub.url}/docs/getting-started`);
    const block = page.locator('.code').first();
    await block.hover();
    await block.locator('.copy').click();
    await block.locator('.copy', { hasText: 'Copied' }).waitFor();
    const text = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(text).toMatch(/npm/u);
    expect(text).not.toMatch(/^\$ /mu);
    expect(await block.locator('.hljs-built_in').count()).toBeGreaterThan(0);
  });

  it('shows the sections of a page beside it, its pictures, and links at its headings', async () => {
    await page.goto(`${hub.url}/docs/gateway`);
    const sections = await hrefsOf('.contents a');
    expect(sections.length).toBeGreaterThan(3);
    for (const section of sections) {
      const id = decodeURIComponent(new URL(section).hash.slice(1));
      expect([id, await page.locator(`main [id="${id}"] .anchor`).count()]).toEqual([id, 1]);
    }
    const drawn = page.locator('main img').first();
    await drawn.scrollIntoViewIfNeeded();
    await page.waitForFunction('[...document.images].every(({ naturalWidth }) => naturalWidth > 0)');
    expect(complaints).toEqual([]);
  });

  it('has a menu on a phone, and nothing wider than its screen', async () => {
    const phone = await browser.newPage({ viewport: { width: 360, height: 740 } });
    await phone.goto(`${hub.url}/docs/gateway`);
    expect(await phone.locator('nav').isVisible()).toBe(false);
    await phone.locator('#menu').click();
    expect(await phone.locator('nav a').first().isVisible()).toBe(true);
    expect(await phone.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
    await phone.close();
  });
});
