import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { runBench } from '@plugboard/check';
import { type BenchReport, checkTarget } from '@plugboard/contract';
import { fakeServer, type FakeServer } from '@plugboard/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ownerFetch } from '../../support/hub-keys.js';
import { startRealHub, type RealHub } from '../../support/real-hub.js';
import { flawsOf, launchBrowser, signIn, watchedPage } from './console-browser.js';

const HTML = `<img src=x onerror="window.ran='html'">`;

let hub: RealHub;
let server: FakeServer;
let browser: Browser;
let page: Page;
let complaints: string[];
let folder: string;

/** A real report, of a short load, with a label that a stranger could have written. */
const measure = async (): Promise<BenchReport> => {
  const { url } = await server.listenHttp();
  const load = {
    seconds: 2.5,
    warmUpSeconds: 0,
    concurrency: 2,
    scenarios: ['steady', 'payload'],
    maxPayloadBytes: 10_240,
  };
  const call = { tool: 'echo', arguments: { text: 'hi' } };
  const target = checkTarget.parse({ url, load: { ...load, call, thresholds: { call_failed: ['rate<0.01'] } } });
  const report = await runBench(target, { version: '0.0.0', signal: AbortSignal.timeout(60_000), baseEnv: {} });
  return { ...report, target: { ...report.target, label: HTML } };
};

const open = (name: string): Promise<void> => page.getByLabel('Report').setInputFiles(join(folder, name));

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plugboard-bench-'));
  server = fakeServer({ tools: ['echo', 'counter'] });
  hub = await startRealHub();
  const { url } = await server.listenHttp();
  const config = { mcp_server_type: 'streamable_http', server_url: url };
  const added = await ownerFetch(`${hub.url}/v1/mcp-servers`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ server_name: 'echo', config }),
  });
  if (added.status !== 200) throw new Error(`The server was not registered: ${added.status}.`);
  browser = await launchBrowser();
  await writeFile(join(folder, 'bench.json'), JSON.stringify(await measure()));
  await writeFile(join(folder, 'other.json'), '{"format":"plugboard.check/1"}');
  ({ page, complaints } = await watchedPage(browser, { viewport: { width: 1280, height: 800 } }));
  await signIn(page, hub);
});
afterAll(async () => {
  await browser?.close();
  await hub?.close();
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

it('tells how to measure, and refuses a file that is no report', async () => {
  await page.goto(`${hub.url}/#/benchmarks`);
  await page.getByText('plugboard bench my-server').waitFor();
  await open('other.json');
  expect(await page.getByRole('alert').textContent()).toContain('The file is not a load report of this program.');
});

it('draws latency and throughput of a real report, which stays in the browser', async () => {
  const sent: string[] = [];
  page.on('request', (request) => request.method() !== 'GET' && sent.push(request.url()));
  await open('bench.json');
  await page.getByText('<img src=x').waitFor();
  await page
    .getByRole('heading', { name: /^Latency: / })
    .first()
    .waitFor();
  await page
    .getByRole('heading', { name: /^Throughput: / })
    .first()
    .waitFor();
  await page.getByRole('heading', { name: 'Latency by bytes' }).waitFor();
  await page.locator('.chart canvas').nth(2).waitFor();
  const figures = page.getByRole('region', { name: 'Phases of steady' }).locator('tbody tr').first();
  expect(await figures.textContent()).toMatch(/\d\/s/u);
  const heads = page.getByRole('region', { name: 'Phases of steady' }).getByRole('columnheader');
  expect(await heads.allTextContents()).toEqual(
    expect.arrayContaining(['As measured', 'Corrected for coordinated omission']),
  );
  await page.getByRole('list', { name: 'Thresholds' }).getByText('pass').first().waitFor();
  expect(sent).toEqual([]);
});

it.each([
  ['light', 1280],
  ['dark', 1280],
  ['light', 360],
  ['dark', 360],
] as const)('is accessible with a report in it, %s, %d px wide', async (colorScheme, width) => {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height: 800 });
  expect(await flawsOf(page)).toEqual([]);
  expect(await page.evaluate('window.ran')).toBeUndefined();
  expect(complaints).toEqual([]);
});

it('measures a server: asks before a tool that may change something, shows the figures, then the charts', async () => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${hub.url}/#/benchmarks`);
  await page.getByText('No benchmarks yet').waitFor();
  await page.getByLabel('Tool', { exact: true }).selectOption('counter');
  await page.getByRole('button', { name: 'Start benchmark' }).click();
  const question = page.getByRole('alertdialog', { name: 'Call counter 200 times?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await page.getByLabel('Tool', { exact: true }).selectOption('echo');
  await page.getByLabel('Arguments').fill('{"text": ');
  expect(await page.getByRole('button', { name: 'Start benchmark' }).isDisabled()).toBe(true);
  await page.getByLabel('Arguments').fill('{"text": "hi"}');
  await page.getByLabel('Duration').selectOption('5');
  await page.getByRole('button', { name: 'Start benchmark' }).click();
  await page.getByRole('heading', { name: 'Benchmark of echo' }).waitFor();
  await page.getByRole('progressbar', { name: 'Progress' }).waitFor();
  await page.getByText('steady', { exact: true }).waitFor({ timeout: 30_000 });
  expect(await flawsOf(page)).toEqual([]);
  await page.getByRole('heading', { name: 'Throughput: steady' }).waitFor({ timeout: 30_000 });
  await page.locator('.chart canvas').nth(1).waitFor();
  await page.getByText('Passed', { exact: true }).waitFor();
  await expect.poll(() => page.getByRole('progressbar').count()).toBe(0);
});

it.each([
  ['light', 1280],
  ['dark', 360],
] as const)('lists what was measured, and is accessible, %s, %d px wide', async (colorScheme, width) => {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height: 800 });
  await page.goto(`${hub.url}/#/benchmarks`);
  const row = page.getByRole('list', { name: 'Benchmarks' }).getByRole('link');
  await row.waitFor();
  await expect.poll(() => row.textContent()).toMatch(/echo.*Passed.*\/s, p50.*echo, 20 calls per second for 5 s/u);
  expect(await flawsOf(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
});

it('cancels a benchmark, and deletes one after a question', async () => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${hub.url}/#/benchmarks`);
  await page.getByLabel('Tool', { exact: true }).selectOption('echo');
  await page.getByLabel('Arguments').fill('{"text": "hi"}');
  await page.getByLabel('Duration').selectOption('60');
  const before = server.counters.executed();
  await page.getByRole('button', { name: 'Start benchmark' }).click();
  await expect.poll(() => server.counters.executed()).toBeGreaterThan(before);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('The run was cancelled.').waitFor();
  // What was sent before arrives; then half a second, in which ten calls would come, brings none.
  const callsOfHalfASecond = async (): Promise<number> => {
    const called = server.counters.executed();
    await setTimeout(500);
    return server.counters.executed() - called;
  };
  await expect.poll(callsOfHalfASecond, { timeout: 20_000 }).toBe(0);
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('list', { name: 'Benchmarks' }).waitFor();
  await expect.poll(() => page.getByRole('list', { name: 'Benchmarks' }).getByRole('link').count()).toBe(1);
  expect(complaints).toEqual([]);
});
