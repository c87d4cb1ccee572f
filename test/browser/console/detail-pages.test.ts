import { setTimeout } from 'node:timers/promises';
import type { BenchRun, CheckRun, ServerView, ToolView } from '@plugboard/contract';
import { fakeServerCommand } from '@plugboard/testing';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hubCall } from '../../support/hub-call.js';
import { startRealHub, type RealHub } from '../../support/real-hub.js';
import { flawsOf, launchBrowser, signIn, watchedPage } from './console-browser.js';

const RUN_MS = 60_000;

let hub: RealHub;
let browser: Browser;
/** Addresses of pages about one thing, each with its heading. */
const pages: (readonly [address: string, heading: string | RegExp])[] = [];

const made = async <Answer>(path: string, body: object): Promise<Answer> =>
  (await hubCall(hub.url, 'POST', path, body)).json as Answer;

/** Outside of a test, nothing polls for us. */
const finished = async (path: string): Promise<void> => {
  const until = Date.now() + RUN_MS;
  while (((await hubCall(hub.url, 'GET', path)).json as { state: string }).state !== 'finished') {
    if (Date.now() > until) throw new Error(`${path} does not finish.`);
    await setTimeout(200);
  }
};

beforeAll(async () => {
  hub = await startRealHub();
  browser = await launchBrowser();
  const { command, args } = fakeServerCommand({ tools: ['echo', 'add', 'fail'] });
  const { id: server } = await made<ServerView>('/v1/mcp-servers', {
    server_name: 'everyday',
    config: { mcp_server_type: 'stdio', command, args },
  });
  const { json } = await hubCall(hub.url, 'GET', `/v1/mcp-servers/${server}/tools`);
  const tool = (json as readonly ToolView[]).find(({ upstream_name }) => upstream_name === 'add')?.id ?? '';
  for (const name of ['echo', 'fail']) await hubCall(hub.url, 'POST', `/servers/everyday/tools/${name}`, {});
  const { id: broken } = await made<ServerView>('/v1/mcp-servers', {
    server_name: 'broken',
    config: {
      mcp_server_type: 'stdio',
      command: process.execPath,
      args: ['-e', 'console.error("no token"); process.exit(1)'],
    },
  });
  for (const tab of ['tools', 'facts', 'sync', 'log']) pages.push([`/servers/${broken}/${tab}`, 'broken']);
  const runs: string[] = [];
  for (const suite of ['tools', 'lifecycle']) {
    const { id } = await made<CheckRun>('/v1/checks', { name: 'everyday', tier: 'smoke', suites: [suite] });
    await finished(`/v1/checks/${id}`);
    runs.push(id);
  }
  const bench = await made<BenchRun>('/v1/benchmarks', { name: server, seconds: 1, rate: 5, concurrency: 1 });
  await finished(`/v1/benchmarks/${bench.id}`);
  const { id: agent } = await made<{ id: string }>('/v1/agents', { name: 'helper', description: 'Adds numbers.' });
  for (const tab of ['tools', 'facts', 'availability', 'sync', 'log', 'edit']) {
    pages.push([`/servers/${server}/${tab}`, 'everyday']);
  }
  for (const tab of ['try', 'definition', 'quality']) pages.push([`/tools/${server}/${tool}/${tab}`, 'add']);
  for (const tab of ['servers', 'toolsets', 'tools', 'variables', 'model', 'keys']) {
    pages.push([`/agents/${agent}/${tab}`, 'helper']);
  }
  for (const tab of ['resources', 'templates', 'prompts']) pages.push([`/resources/${server}/${tab}`, 'Resources']);
  for (const tab of ['calls', 'time', 'errors', 'figures']) pages.push([`/traffic/${tab}`, 'Traffic']);
  pages.push([`/checks/${runs[0]}`, 'Check of everyday']);
  pages.push([`/checks/compare/${runs[0]}/${runs[1]}`, 'Comparison of two runs']);
  pages.push([`/benchmarks/${bench.id}`, 'Benchmark of everyday']);
});
afterAll(async () => {
  await browser?.close();
  await hub?.close();
});

it.each([
  ['light', 1280],
  ['dark', 1280],
  ['light', 360],
  ['dark', 360],
] as const)('every page about one thing is accessible, %s, %d px wide', async (colorScheme, width) => {
  const { page, complaints } = await watchedPage(browser, { colorScheme, viewport: { width, height: 800 } });
  await signIn(page, hub);
  const flaws: string[] = [];
  for (const [address, heading] of pages) {
    await page.goto(`${hub.url}/#${address}`);
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
    const finding = page.locator('.finding > summary').first();
    if ((await finding.count()) > 0) await finding.click();
    flaws.push(...(await flawsOf(page)).map((flaw) => `${address}: ${flaw}`));
  }
  expect(flaws).toEqual([]);
  expect(complaints).toEqual([]);
  await page.close();
});
