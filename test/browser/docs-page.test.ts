import chromium from '@sparticuz/chromium';
import { chromium as playwright, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRealHub, type RealHub } from '../support/real-hub.js';

interface Visit {
  readonly page: Page;
  readonly complaints: readonly string[];
}

describe('the docs page in a browser', () => {
  let hub: RealHub;
  let browser: Browser;

  beforeAll(async () => {
    hub = await startRealHub();
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

  const visit = async (options: Parameters<Browser['newPage']>[0], path = '/docs/api'): Promise<Visit> => {
    const page = await browser.newPage(options);
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('requestfailed', (request) => complaints.push(`failed: ${request.url()}`));
    await page.goto(hub.url + path);
    return { page, complaints };
  };

  it('shows every route of the document, without a complaint in the console', async () => {
    const { page, complaints } = await visit({});
    try {
      const { paths } = (await (await fetch(`${hub.url}/openapi.json`)).json()) as { paths: Record<string, object> };
      const routes = Object.values(paths).flatMap((methods) => Object.keys(methods));
      expect(await page.locator('section article:not(.shape)').count()).toBe(routes.length);
      expect(await page.locator('h1').textContent()).toContain('Plugboard admin API');
      expect(await page.locator('#createServer pre').textContent()).toContain('curl -X POST');
      expect(complaints).toEqual([]);
    } finally {
      await page.close();
    }
  });

  it('leads from the list of routes to each route, and from there to its shapes', async () => {
    const { page } = await visit({ viewport: { width: 1280, height: 900 } });
    try {
      await page.locator('nav a[href="#runServerTool"]').click();
      await page.locator('#runServerTool').waitFor({ state: 'visible' });
      expect(new URL(page.url()).hash).toBe('#runServerTool');
      await page.locator('#runServerTool a[href="#schema-ToolRunResult"]').click();
      expect(await page.locator('#schema-ToolRunResult').boundingBox()).toMatchObject({ y: expect.any(Number) });
      expect(await page.locator('#schema-ToolRunResult').textContent()).toContain('func_return');
    } finally {
      await page.close();
    }
  });

  it('is light by day and dark by night', async () => {
    const grounds: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page } = await visit({ colorScheme });
      grounds.push(await page.evaluate('getComputedStyle(document.body).backgroundColor'));
      await page.close();
    }
    expect(grounds).toEqual(['rgb(255, 255, 255)', 'rgb(18, 22, 28)']);
  });

  it('fits a telephone without scrolling sideways', async () => {
    const { page } = await visit({ viewport: { width: 360, height: 780 } });
    try {
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
    } finally {
      await page.close();
    }
  });
});
