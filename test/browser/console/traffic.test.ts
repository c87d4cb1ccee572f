import type { ServerView } from '@plugboard/contract';
import { fakeServerCommand } from '@plugboard/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freshSettings } from '../../../packages/plugboard/src/test-support/fresh-settings.js';
import { hubCall } from '../../support/hub-call.js';
import { offeringServer, type OfferingServer } from '../../support/offering-server.js';
import { startRealHub, type RealHub } from '../../support/real-hub.js';
import { flawsOf, launchBrowser, signIn, watchedPage } from './console-browser.js';

const HTML = `<img src=x onerror="window.ran='html'">`;

let hub: RealHub;
let keeping: RealHub;
let crowd: OfferingServer;
let browser: Browser;
let page: Page;
let complaints: string[];

/** More than a page of a search for `counter` has. */
const NAMESAKES = 120;

const prepare = async (url: string): Promise<void> => {
  await hubCall(url, 'POST', '/v1/mcp-servers', {
    server_name: 'a-crowd',
    config: { mcp_server_type: 'streamable_http', server_url: crowd.url },
  });
  const { command, args } = fakeServerCommand({ tools: ['echo', 'counter', 'fail'] });
  await hubCall(url, 'POST', '/v1/mcp-servers', {
    server_name: 'busy',
    config: { mcp_server_type: 'stdio', command, args },
  });
  for (const [tool, body] of [
    ['echo', { text: HTML, [HTML]: 1 }],
    ['echo', { text: 'again' }],
    ['counter', {}],
    ['fail', {}],
  ] as const) {
    await hubCall(url, 'POST', `/servers/busy/tools/${tool}`, body);
  }
};

beforeAll(async () => {
  crowd = await offeringServer('legacy');
  const names = Array.from({ length: NAMESAKES }, (_, at) => `counter_${at}`);
  crowd.results.set('tools/list', { tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })) });
  hub = await startRealHub();
  keeping = await startRealHub({
    settings: { observe: { ...freshSettings('').observe, auditArguments: true, auditResults: true } },
  });
  browser = await launchBrowser();
  await Promise.all([prepare(hub.url), prepare(keeping.url)]);
  ({ page, complaints } = await watchedPage(browser, { viewport: { width: 1280, height: 800 } }));
  await signIn(page, hub);
});
afterAll(async () => {
  await browser?.close();
  await hub?.close();
  await keeping?.close();
  await crowd?.[Symbol.asyncDispose]();
});

const calls = () => page.getByRole('list', { name: 'Calls' });

it('lists calls with their place in time, filters them, and shows one without the values of its arguments', async () => {
  await page.goto(`${hub.url}/#/traffic`);
  await calls().getByText('busy/counter').waitFor();
  await expect.poll(() => page.locator('.waterfall-bar').count()).toBe(4);
  await page.getByLabel('Outcome').selectOption('errors');
  await expect.poll(() => calls().getByRole('button').count()).toBe(1);
  await page.getByLabel('Outcome').selectOption('');
  await page.getByLabel('Filter calls').fill('echo');
  await calls().getByRole('button').last().click();
  const dialog = page.getByRole('dialog', { name: 'busy/echo' });
  await dialog.getByText('not their values').waitFor();
  await dialog.getByText('Results are not kept').waitFor();
  expect(await dialog.textContent()).toContain(`text of ${HTML.length} characters`);
  expect(await flawsOf(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Fill in and replay' }).click();
  await page.getByText('Fill in the arguments again').waitFor();
  await page.getByLabel('text').fill('filled in');
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByRole('region', { name: 'Result' }).getByText('Answered in').waitFor();
});

it('draws percentiles and counts over time with a library that is loaded then, and names errors by class', async () => {
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(request.url()));
  await page.goto(`${hub.url}/#/traffic`);
  await page.getByRole('tab', { name: 'Over time' }).click();
  await page.locator('.chart canvas').nth(1).waitFor();
  expect(loaded.some((url) => /chart/u.test(url))).toBe(true);
  expect(await page.getByText('calls in the last hour').textContent()).toMatch(/^5 calls/u);
  await page.getByText('The figures as a table').click();
  await expect
    .poll(() => page.getByRole('region', { name: 'Calls by minute' }).getByRole('row').count())
    .toBeGreaterThan(1);
  const flaws = [...(await flawsOf(page))];
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 360, height: 800 });
  flaws.push(...(await flawsOf(page)));
  await page.getByRole('tab', { name: 'Errors by class' }).click();
  await page.getByRole('list', { name: 'Errors by class' }).getByText('tool_error').waitFor();
  flaws.push(...(await flawsOf(page)));
  expect(flaws).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${hub.url}/#/servers`);
  await page.getByRole('img', { name: /Median duration of calls in the last hour/u }).waitFor();
  expect(await page.evaluate('window.ran')).toBeUndefined();
  expect(complaints).toEqual([]);
});

it('replays a call whose values are kept: at once if it only reads, else after a question', async () => {
  const other = await watchedPage(browser, { viewport: { width: 1280, height: 800 } });
  await signIn(other.page, keeping);
  const replay = async (tool: string): Promise<void> => {
    await other.page.goto(`${keeping.url}/#/traffic`);
    await other.page.getByRole('list', { name: 'Calls' }).getByText(`busy/${tool}`).last().click();
    const dialog = other.page.getByRole('dialog');
    await expect.poll(() => dialog.getByText('Values under telling names are hidden').count()).toBe(1);
    expect(await flawsOf(other.page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Replay' }).click();
  };
  const result = other.page.getByRole('region', { name: 'Result' });
  await replay('echo');
  await result.getByText('Answered in').waitFor();
  expect(await result.textContent()).toContain(HTML);
  await replay('counter');
  const question = other.page.getByRole('alertdialog', { name: 'Call counter again?' });
  await question.waitFor();
  expect(await result.textContent()).toContain('Run the tool');
  await question.getByRole('button', { name: 'Call again' }).click();
  await result.getByText('Answered in').waitFor();
  await other.page.getByRole('list', { name: 'History' }).getByRole('button', { name: 'Replay' }).click();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect.poll(() => other.page.getByRole('list', { name: 'History' }).getByRole('listitem').count()).toBe(1);
  expect(await other.page.evaluate('window.ran')).toBeUndefined();
  expect(other.complaints).toEqual([]);
  await other.page.close();
});

it('shows the phases of a call on the full path, and that the fast path has only a total', async () => {
  const { id: server_id } = ((await hubCall(hub.url, 'GET', '/v1/mcp-servers')).json as readonly ServerView[]).find(
    ({ server_name }) => server_name === 'busy',
  ) as ServerView;
  // Arguments that the hub adds keep a call off the fast path.
  const entry = { server_id, upstream_name: 'echo', name: 'say', preset_arguments: { text: 'preset' } };
  await hubCall(hub.url, 'POST', '/v1/toolsets', { name: 'phased', entries: [entry] });
  const shown = async (kind: string, path: string): Promise<string> => {
    const before = Date.now();
    expect((await hubCall(hub.url, 'POST', path, kind === 'fast' ? { text: 'plain' } : {})).status).toBe(200);
    const newest = async (): Promise<number> => {
      const { json } = await hubCall(hub.url, 'GET', '/v1/audit?kind=call&limit=1');
      return Date.parse((json as readonly { at: string }[])[0]?.at ?? '');
    };
    await expect.poll(newest, { timeout: 10_000 }).toBeGreaterThanOrEqual(before);
    await page.goto('about:blank');
    await page.goto(`${hub.url}/#/traffic`);
    await calls().getByText('busy/echo').first().click();
    const dialog = page.getByRole('dialog', { name: 'busy/echo' });
    await dialog.getByRole('heading', { name: 'Phases' }).waitFor();
    return (await dialog.textContent()) ?? '';
  };
  expect(await shown('full', '/toolsets/phased/tools/say')).toContain('Server answers');
  await expect.poll(() => page.getByRole('list', { name: 'Phases' }).getByRole('listitem').count()).toBe(5);
  const flaws: string[] = [];
  for (const [colorScheme, width] of [
    ['light', 1280],
    ['dark', 1280],
    ['light', 360],
    ['dark', 360],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    flaws.push(...(await flawsOf(page)));
  }
  expect(flaws).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
  expect(await shown('fast', '/servers/busy/tools/echo')).toContain('Total only');
  expect(complaints).toEqual([]);
});

it('finds a call that is older than what the page has read, when it is asked to', async () => {
  const other = await watchedPage(browser, { viewport: { width: 1280, height: 800 } });
  const entry = (id: number, target: string): object => ({
    id: `audit-${id}`,
    at: new Date(Date.UTC(2026, 0, 1) - id * 1000).toISOString(),
    kind: 'call',
    action: 'tools/call',
    target,
    outcome: 'ok',
    actor: 'local',
    duration_ms: 1,
    details: {},
  });
  // So many that the list does not reach its end, and reads no further page for it.
  const newest = Array.from({ length: 100 }, (_, at) => entry(at, 'busy/echo'));
  await other.page.route('**/v1/audit?**', (route) => {
    const isFirst = new URL(route.request().url()).searchParams.get('after') === null;
    return route.fulfill({
      headers: isFirst ? { 'x-next-after': 'audit-99' } : {},
      json: isFirst ? newest : [entry(100, 'busy/rare')],
    });
  });
  await signIn(other.page, hub);
  for (const [path, filter, list] of [
    ['traffic', 'Filter calls', 'Calls'],
    ['audit', 'Filter the audit trail', 'Entries'],
  ] as const) {
    await other.page.goto('about:blank');
    await other.page.goto(`${hub.url}/#/${path}`);
    await other.page.getByRole('list', { name: list }).getByText('busy/echo').first().waitFor();
    await other.page.getByLabel(filter).fill('rare');
    await other.page.getByText('None of the newest 100 entries fits.').waitFor();
    expect(await flawsOf(other.page)).toEqual([]);
    await other.page.getByRole('button', { name: 'Search older entries' }).click();
    await other.page.getByRole('list', { name: list }).getByText('busy/rare').waitFor();
    await other.page.getByLabel(filter).fill('nothing like this');
    await other.page.getByText('None of 101 entries fits.').waitFor();
  }
  await other.page.close();
});
