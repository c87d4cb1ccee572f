import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import chromium from '@sparticuz/chromium';
import { CHECKS, checkTarget, REPORTERS, runChecks } from '@plugboard/check';
import { mutantServer, MUTANTS } from '@plugboard/testing';
import { chromium as playwright, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const NASTY = '<img src=x onerror=document.title="owned">';

describe('the report of a check in a browser', () => {
  let folder: string;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plugboard-report-'));
    const mutant = MUTANTS.find(({ name }) => name === 'ping-answers-pong');
    if (mutant === undefined) throw new Error('The mutant is gone.');
    const server = mutantServer(mutant);
    const { url } = await server.listenHttp();
    const target = checkTarget.parse({ url, name: NASTY, suites: ['lifecycle'], budgets: { quietMs: 20 } });
    const report = await runChecks(target, { checks: CHECKS, version: '0.0.0' });
    await server.close();
    const named = { ...report, server: { ...report.server, eras: [], revisions: [], name: NASTY } };
    await writeFile(join(folder, 'report.html'), REPORTERS.html(named));
    browser = await playwright.launch({
      executablePath: await chromium.executablePath(),
      args: [...chromium.args.filter((arg) => arg !== '--single-process'), '--no-sandbox'],
    });
    page = await browser.newPage({ viewport: { width: 1_100, height: 900 } });
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      if (!request.url().startsWith('file:')) complaints.push(`request: ${request.url()}`);
    });
    await page.goto(`file://${join(folder, 'report.html')}`);
  });
  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('shows charts and every check, and asks nobody for anything', async () => {
    expect(await page.locator('svg').count()).toBe(2);
    expect(await page.locator('details').count()).toBeGreaterThan(25);
    expect(await page.title()).toContain('img src=x');
    expect(complaints).toEqual([]);
  });

  it('opens the failure with what was sent, what came and how to reproduce it', async () => {
    const failure = page.locator('details.fail[open]');
    expect(await failure.count()).toBe(1);
    const text = (await failure.textContent()) ?? '';
    for (const part of ['LIF-27', 'Expected', 'curl -sS', 'Transcript', '"pong":true']) expect(text).toContain(part);
  });

  it('names what failed at the top, and leads there', async () => {
    const link = page.locator('nav[aria-label=Failed] a');
    expect(await link.allTextContents()).toEqual([expect.stringContaining('LIF-27')]);
    await link.click();
    expect(await page.locator('details:target').getAttribute('data-verdict')).toBe('fail');
  });

  it('fits a small screen', async () => {
    await page.setViewportSize({ width: 420, height: 900 });
    const { width, height } = (await page.locator('svg').nth(1).boundingBox()) ?? { width: 0, height: 0 };
    const [, , wide = 1, high = 1] = ((await page.locator('svg').nth(1).getAttribute('viewBox')) ?? '')
      .split(' ')
      .map(Number);
    expect(height / width).toBeCloseTo(high / wide, 1);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(420);
    await page.setViewportSize({ width: 1_100, height: 900 });
  });

  it('filters by verdict, level and words', async () => {
    const shown = (): Promise<number> => page.locator('details[data-verdict]:visible').count();
    const all = await shown();
    for (const verdict of ['pass', 'warn', 'not-verified']) await page.locator(`input[value=${verdict}]`).uncheck();
    expect(await shown()).toBe(1);
    await page.locator('input[value=pass]').check();
    await page.locator('select[name=level]').selectOption('SHOULD');
    expect(await shown()).toBeLessThan(all);
    await page.locator('select[name=level]').selectOption('');
    await page.locator('input[name=words]').fill('nothing says this');
    expect(await shown()).toBe(0);
    expect(await page.locator('#count').textContent()).toMatch(/^0 of \d+$/u);
  });
});
